#!/usr/bin/env bash
# A Slurm of one node, this machine, for as long as a test needs it. Needs root, and the packages slurm-wlm and munge.
#   slurm.sh start FOLDER     prints the path of its slurm.conf, for SLURM_CONF
#   slurm.sh stop FOLDER
set -euo pipefail
folder=$2

start() {
  mkdir -p "$folder"/{state,spool,munge}
  chmod 755 "$folder" "$folder/munge"
  dd if=/dev/urandom of="$folder/munge/key" bs=1024 count=1 status=none
  chmod 400 "$folder/munge/key"
  chown -R munge:munge "$folder/munge"
  # The daemons must be reachable by munge whatever the umask of those who call.
  runuser -u munge -- munged --key-file="$folder/munge/key" --socket="$folder/munge/socket" \
    --pid-file="$folder/munge/pid" --log-file="$folder/munge/log" --seed-file="$folder/munge/seed"
  local host port=$((20000 + $$ % 20000))
  host=$(hostname -s)
  cat > "$folder/slurm.conf" <<END
ClusterName=verve
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
SlurmdPort=$((port + 1))
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$folder/munge/socket
CryptoType=crypto/munge
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobCompType=jobcomp/filetxt
JobCompLoc=$folder/jobs.txt
SchedulerType=sched/builtin
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
MailProg=/bin/true
KillWait=5
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc)
PartitionName=all Nodes=$host Default=YES State=UP MaxTime=INFINITE
END
  export SLURM_CONF="$folder/slurm.conf"
  slurmctld -i -f "$SLURM_CONF"
  slurmd -f "$SLURM_CONF"
  for _ in $(seq 100); do
    sinfo -h -o %t 2>/dev/null | grep -q idle && { echo "$SLURM_CONF"; return; }
    sleep 0.2
  done
  echo "slurm.sh: the node did not come up" >&2
  tail -5 "$folder"/slurmctld.log "$folder"/slurmd.log >&2
  stop
  return 1
}

stop() {
  for pid in "$folder/slurmd.pid" "$folder/slurmctld.pid" "$folder/munge/pid"; do
    [ -s "$pid" ] && kill "$(cat "$pid")" 2>/dev/null || true
  done
}

case $1 in
  start) start ;;
  stop) stop ;;
esac
