/**
 * An awk program that reads the text of a skill, writes each block of code that begins with the name of a file
 * (`// buy.ts`, `# audit.sh`) to that file in the folder that the environment names `folder`, and prints the rest with
 * where it went. A name has no slash, so nothing lands elsewhere. POSIX awk, tried in mawk, gawk and busybox.
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
