// Reads the front matter of every recipe in a folder with the npm package yaml:
// node frontmatter.cjs PACKAGE FOLDER. It only reads, it checks nothing, and is
// the least that a program in JavaScript has to do.
const fs = require('node:fs')
const path = require('node:path')

const [, , packageFolder, folder] = process.argv
const yaml = require(packageFolder)

let read = 0
for (const name of fs.readdirSync(folder)) {
  if (!name.endsWith('.md')) continue
  const text = fs.readFileSync(path.join(folder, name), 'utf8')
  const end = text.indexOf('\n---\n', 3)
  const value = yaml.parse(text.slice(4, end + 1))
  if (value.version !== 1) throw new Error(`${name}: no recipe`)
  read++
}
console.log(`${read} recipes`)
