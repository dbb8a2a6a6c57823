// Pictures and videos of what is shown, as downloads.

export function download(blob, name) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}

export function savePicture(stage, name) {
  stage.draw();  // what a canvas shows can be read only right after it was drawn
  return new Promise((done) => stage.canvas.toBlob((blob) => { download(blob, name); done(); }, 'image/png'));
}

/// Records the canvas from now until the function that it returns is called.
export function recordVideo(stage, fps, name) {
  const kind = ['video/webm;codecs=vp9', 'video/webm;codecs=vp8', 'video/webm'].find((one) => MediaRecorder.isTypeSupported(one));
  const recorder = new MediaRecorder(stage.canvas.captureStream(Math.min(fps, 60)), { mimeType: kind, videoBitsPerSecond: 8e6 });
  const pieces = [];
  recorder.ondataavailable = (event) => pieces.push(event.data);
  recorder.onstop = () => download(new Blob(pieces, { type: 'video/webm' }), name);
  recorder.start();
  return () => recorder.stop();
}
