/**
 * An awk program that reads the text of a skill and writes each block of code that begins with the name of a file (`//
 * buy.ts`, `# audit.sh`) to that file, in the folder of the environment variable `folder`. It prints the rest, with a
 * note in place of each such block. Names cannot contain a slash, so no file is written elsewhere. It is POSIX awk,
 * tried in mawk, gawk and busybox.
 */
export const splitPrograms = `BEGIN { folder = ENVIRON["folder"] }
!inside && /^\`\`\`(ts|js|sh)$/ { inside = 1; fence = $0; count = 0; name = ""; next }
inside && /^\`\`\`$/ {
  inside = 0
  if (name == "") {
    print fence
    for (i = 1; i <= count; i++) print line[i]
    print
    next
  }
  for (i = 1; i <= count; i++) print line[i] > (folder "/" name)
  close(folder "/" name)
  print "It is beside this file: \`scripts/" name "\`."
  next
}
inside {
  line[++count] = $0
  if (count <= 2 && name == "" && match($0, /^(\\/\\/|#) (usage: [a-z]+ )?[A-Za-z0-9][A-Za-z0-9.-]*\\.(ts|mjs|sh)/)) {
    name = substr($0, RSTART, RLENGTH)
    sub(/^.* /, "", name)
  }
  next
}
{ print }`
