# Removes what a process of the tests has left behind; started by reaper.ts, which writes a line for each thing that the process makes (+) and removes (-):
#     + group 4711                    a process group
#     + process 4711 KILL             a process with its descendants, and the signal that ends it
#     + mount /tmp/folder
#     + account name
#     + folder /tmp/folder
# The pipe closes when that process ends, however it ends.

/^\+ / { left[substr($0, 3)] = 1 }
/^- / { delete left[substr($0, 3)] }

function quoted(text) {
  gsub(/'/, "'\\''", text)
  return "'" text "'"
}

function run(command) {
  return system(command " >/dev/null 2>&1")
}

# Reads the state, the parent and the group of each process; see proc_pid_stat(5). The name, in parentheses, may contain anything.
function readProcesses(    command, line, fields) {
  split("", state)
  command = "cat /proc/[0-9]*/stat 2>/dev/null"
  while ((command | getline line) > 0) {
    split(substr(line, match(line, /\) [A-Za-z] -?[0-9]+ -?[0-9]+ /) + 2), fields, " ")
    state[line + 0] = fields[1]
    parent[line + 0] = fields[2]
    group[line + 0] = fields[3]
  }
  close(command)
}

# Sets `doomed` to the registered processes and groups and the descendants of the processes, which may have left the group.
function findDoomed(    key, words, pid, found) {
  split("", root)
  split("", groups)
  for (key in left) {
    split(key, words, " ")
    if (words[1] == "group") groups[words[2]] = 1
    if (words[1] == "process") root[words[2]] = words[3]
  }
  for (pid in state) if (group[pid] in groups) doomed[pid] = "KILL"
  for (pid in root) if (pid in state) doomed[pid] = family[pid] = root[pid]
  do {
    found = 0
    for (pid in state) if (!(pid in family) && ((parent[pid] in family) || (group[pid] in root))) {
      # The process that shuts down in its own way ends its children too.
      doomed[pid] = family[pid] = (parent[pid] in family) && family[parent[pid]] != "KILL" ? "none" : "KILL"
      found = 1
    }
  } while (found)
}

function signal(name, pids) {
  if (pids != "") run("kill -" name pids)
}

function living(    pids, pid) {
  pids = ""
  for (pid in doomed) if ((pid in state) && state[pid] != "Z") pids = pids " " pid
  return pids
}

function endProcesses(    pid, tries, pids) {
  readProcesses()
  findDoomed()
  for (pid in doomed) if (doomed[pid] != "none") pids[doomed[pid]] = pids[doomed[pid]] " " pid
  for (name in pids) signal(name, pids[name])
  for (tries = 0; tries < 50; tries++) {
    readProcesses()
    if (living() == "") return
    run("sleep 0.1")
  }
  signal("KILL", living())
}

# Runs a command until it succeeds: a folder may still be written to, and the list of accounts be locked.
function insist(command,    tries) {
  for (tries = 0; tries < 50 && run(command) != 0; tries++) run("sleep 0.1")
}

function undo(kind, before, after, unless,    key, value) {
  for (key in left) if (index(key, kind " ") == 1) {
    value = quoted(substr(key, length(kind) + 2))
    insist(unless value " || " before value after)
  }
}

END {
  endProcesses()
  undo("mount", "umount -l ", "", "! mountpoint -q ")
  undo("account", "userdel --force ", "", "! id ")
  undo("folder", "rm -rf ", "", "! test -e ")
}
