/** A handmade, misleading diff and its meaning. */
export interface TortureDiff {
	readonly name: string;
	readonly text: string;
	/** `change old > new +added -removed`, with `binary` or `combined` for the numbers, then kinds of damage. */
	readonly files: readonly string[];
	/** Why `git apply` rejects it or reads it differently, if so. */
	readonly gitDiffers?: string;
}

const header = 'diff --git a/x b/x\nindex 1111111..2222222 100644\n--- a/x\n+++ b/x\n';
const oneHunk = '@@ -1 +1 @@\n-one\n+two\n';
const literal = 'literal 3\nKcmYdfNCE%>hycU@\n\n';
const binaryHeader = `diff --git a/i.png b/i.png\nindex ${'1'.repeat(40)}..${'2'.repeat(40)} 100644\n`;

export const tortureDiffs: readonly TortureDiff[] = [
	{ name: 'prose alone', text: 'Hello,\n\n--- is a line\n+++ is none\ndiff it\nIndex: x\n', files: [] },
	{ name: 'nothing', text: '', files: [] },
	{
		name: 'a signature that looks like a removed line',
		text: `${header}${oneHunk}-- \n2.39.5\n\n`,
		files: ['modified x > x +1 -1'],
	},
	{
		name: 'prose before and behind',
		text: `Hi,\n\nthis changes x.\n---\n x | 2 +-\n\n${header}${oneHunk}\nBye\n+ not added\n- not removed\n`,
		files: ['modified x > x +1 -1'],
	},
	{
		name: 'lines of content that look like headers',
		text: `${header}@@ -1,5 +1,5 @@\n--- a/y\n+++ b/y\n diff --git a/z b/z\n-@@ -1 +1 @@\n+-- \n --- \n  context\n${oneHunk}`,
		files: ['modified x > x +3 -3'],
	},
	{
		name: 'a removed line of SQL right before the next file',
		text: `${header}@@ -1,2 +1 @@\n a\n--- comment\n--- a/y\n+++ b/y\n${oneHunk}`,
		files: ['modified x > x +0 -1', 'modified y > y +1 -1'],
	},
	{
		name: 'context whose blank was eaten',
		text: `${header}@@ -1,4 +1,4 @@\n a\n\n-b\n+c\n\n`,
		files: ['modified x > x +1 -1'],
	},
	{
		name: 'no line end on either side',
		text: `${header}@@ -1 +1 @@\n-one\n\\ No newline at end of file\n+two\n\\ No newline at end of file\n`,
		files: ['modified x > x +1 -1'],
	},
	{
		name: 'the mark of a missing line end in another language',
		text: `${header}@@ -1 +1 @@\n-one\n+two\n\\ Kein Zeilenumbruch am Dateiende.\n${header.replaceAll('/x', '/y')}${oneHunk}`,
		files: ['modified x > x +1 -1', 'modified y > y +1 -1'],
	},
	{
		name: 'a text that ends without a line end',
		text: `${header}@@ -1 +1 @@\n-one\n+two`,
		files: ['modified x > x +1 -1'],
		gitDiffers: 'it wants a line end',
	},
	{
		name: 'a diff that came with CRLF as a whole',
		text: `Hi\n\n${header}@@ -1,3 +1,3 @@ section\n a\n-one\n+two\n\n-- \n`.replaceAll('\n', '\r\n'),
		files: ['modified x > x +1 -1'],
		gitDiffers: 'an empty line with a CR is no context to it',
	},
	{
		name: 'content with CRLF',
		text: `${header}@@ -1,2 +1,2 @@\n a\r\n-one\r\n+two\r\n`,
		files: ['modified x > x +1 -1'],
	},
	{
		name: 'a rename without any change',
		text: 'diff --git a/old name b/new name\nsimilarity index 100%\nrename from old name\nrename to new name\n',
		files: ['renamed old name > new name +0 -0'],
	},
	{
		name: 'a rename with changes and quoted names',
		text: `diff --git "a/t\\tb" "b/gr\\303\\274n \\"q\\" \\\\"\nsimilarity index 50%\nrename from "t\\tb"\nrename to "gr\\303\\274n \\"q\\" \\\\"\nindex 1111111..2222222 100644\n--- "a/t\\tb"\n+++ "b/gr\\303\\274n \\"q\\" \\\\"\n${oneHunk}`,
		files: ['renamed t\tb > grün "q" \\ +1 -1'],
	},
	{
		name: 'a rename in the words of long ago',
		text: 'diff --git a/o b/n\nsimilarity index 100%\nrename old o\nrename new n\n',
		files: ['renamed o > n +0 -0'],
	},
	{
		name: 'a copy',
		text: 'diff --git a/o b/n\nsimilarity index 100%\ncopy from o\ncopy to n\n',
		files: ['copied o > n +0 -0'],
	},
	{
		name: 'a change of the mode only',
		text: 'diff --git a/run me b/run me\nold mode 100644\nnew mode 100755\n',
		files: ['modified run me > run me +0 -0'],
	},
	{
		name: 'an empty new file and an empty deleted one',
		text: 'diff --git a/n b/n\nnew file mode 100644\nindex 0000000..e69de29\ndiff --git a/d b/d\ndeleted file mode 100644\nindex e69de29..0000000\n',
		files: ['added - > n +0 -0', 'deleted d > - +0 -0'],
	},
	{
		name: 'a new file',
		text: 'diff --git a/n b/n\nnew file mode 100755\nindex 0000000..1111111\n--- /dev/null\n+++ b/n\n@@ -0,0 +1,2 @@\n+a\n+b\n',
		files: ['added - > n +2 -0'],
	},
	{
		name: 'a deleted file',
		text: 'diff --git a/d b/d\ndeleted file mode 100644\nindex 1111111..0000000\n--- a/d\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n',
		files: ['deleted d > - +0 -1'],
	},
	{
		name: 'a name that holds both names',
		text: 'diff --git a/x b/x b/x b/x\nold mode 100644\nnew mode 100755\n',
		files: ['modified x b/x > x b/x +0 -0'],
	},
	{
		name: 'names with blanks and a tab behind them',
		text: `diff --git a/a b b/a b\nindex 1111111..2222222 100644\n--- a/a b\t\n+++ b/a b\t\n${oneHunk}`,
		files: ['modified a b > a b +1 -1'],
	},
	{
		name: 'an empty file with a quoted name',
		text: 'diff --git "a/\\344\\270\\226" "b/\\344\\270\\226"\nnew file mode 100644\nindex 0000000..e69de29\n',
		files: ['added - > 世 +0 -0'],
	},
	{
		name: 'names of which the second is quoted',
		text: 'diff --git a/x "b/x"\nold mode 100644\nnew mode 100755\n',
		files: ['modified x > x +0 -0'],
	},
	{
		name: 'names of which the first is quoted',
		text: 'diff --git "a/y" b/y\nold mode 100644\nnew mode 100755\n',
		files: ['modified y > y +0 -0'],
		gitDiffers: 'it compares the line end, too',
	},
	{
		name: 'quoted names that cannot be undone',
		text: `diff --git a/x b/x\nindex 1111111..2222222 100644\n--- "a/\\x"\n+++ "a/\\x"\n${oneHunk}`,
		files: ['modified \\x" > \\x" +1 -1'],
	},
	{
		name: 'names of folders called like prefixes',
		text: 'diff --git a/b/a/b b/b/a/b\nold mode 100644\nnew mode 100755\n',
		files: ['modified b/a/b > b/a/b +0 -0'],
	},
	{
		name: 'no prefixes',
		text: `diff --git src/x src/x\nindex 1111111..2222222 100644\n--- src/x\n+++ src/x\n${oneHunk}`,
		files: ['modified src/x > src/x +1 -1'],
		gitDiffers: 'it takes a folder off without -p0',
	},
	{
		name: 'no prefixes and no folder',
		text: `diff --git README README\nindex 1111111..2222222 100644\n--- README\n+++ README\n${oneHunk}`,
		files: ['modified README > README +1 -1'],
		gitDiffers: 'it has no name left when a folder is taken off',
	},
	{
		name: 'prefixes that tell where the sides come from',
		text: `diff --git i/x w/x\nindex 1111111..2222222 100644\n--- i/x\n+++ w/x\n${oneHunk}`,
		files: ['modified x > x +1 -1'],
	},
	{
		name: 'a plain diff with times',
		text: `diff -ru a/x y b/x y\n--- a/x y\t2020-01-02 03:04:05.678901234 +0100\n+++ b/x y\t2021-01-02 03:04:05.000000000 +0100\n${oneHunk}Only in b: z\n`,
		files: ['modified x y > x y +1 -1'],
	},
	{
		name: 'a plain diff with times behind blanks',
		text: `--- a/x 2020-01-02 03:04:05 +0100\n+++ b/x 2021-01-02 03:04:05 +0100\n${oneHunk}`,
		files: ['modified x > x +1 -1'],
	},
	{
		name: 'a plain diff of a file whose name ends with a time',
		text: `--- a/x 2020-01-02 03:04:05 +0100\t\n+++ b/x 2020-01-02 03:04:05 +0100\t\n${oneHunk}`,
		files: ['modified x 2020-01-02 03:04:05 +0100 > x 2020-01-02 03:04:05 +0100 +1 -1'],
	},
	{
		name: 'a plain diff of a new file, told by its time',
		text: '--- a/n\t1970-01-01 01:00:00.000000000 +0100\n+++ b/n\t2021-01-02 03:04:05.000000000 +0100\n@@ -0,0 +1 @@\n+a\n',
		files: ['added - > n +1 -0'],
	},
	{
		name: 'a plain diff of a deleted file, told by its time',
		text: '--- a/n\t2021-01-02 03:04:05.000000000 +0100\n+++ b/n\t1970-01-01 00:00:00.000000000 +0000\n@@ -1 +0,0 @@\n-a\n',
		files: ['deleted n > - +0 -1'],
	},
	{
		name: 'a plain diff without folders',
		text: `--- x\n+++ x\n${oneHunk}--- lib/y\n+++ lib/y\n${oneHunk}`,
		files: ['modified x > x +1 -1', 'modified lib/y > lib/y +1 -1'],
	},
	{
		name: 'a plain diff to a copy that was kept aside',
		text: `--- a/x.orig\n+++ a/x\n${oneHunk}--- a/y\n+++ a/y.new\n${oneHunk}`,
		files: ['modified x > x +1 -1', 'modified y > y +1 -1'],
	},
	{
		name: 'a plain diff from Subversion',
		text: `Index: x\n===================================================================\n--- x\t(revision 1)\n+++ x\t(working copy)\n${oneHunk}`,
		files: ['modified x > x +1 -1'],
	},
	{
		name: 'a plain diff to nothing',
		text: '--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n--- /dev/null\n+++ b/y\n@@ -0,0 +1 @@\n+a\n',
		files: ['deleted x > - +0 -1', 'added - > y +1 -0'],
	},
	{
		name: 'a hunk without context, and counts that are left out',
		text: `${header}@@ -3 +3 @@ f()\n-a\n+b\n@@ -9,0 +10,2 @@\n+c\n+d\n@@ -20,2 +22,0 @@\n-e\n-f\n`,
		files: ['modified x > x +3 -3 noContext'],
	},
	{
		name: 'a section that looks like a header',
		text: `${header}@@ -1 +1 @@ diff --git a/y b/y @@ -1 +1 @@\n-one\n+two\n`,
		files: ['modified x > x +1 -1'],
	},
	{
		name: 'a submodule',
		text: `diff --git a/sub b/sub\nindex 1111111..2222222 160000\n--- a/sub\n+++ b/sub\n@@ -1 +1 @@\n-Subproject commit 1\n+Subproject commit 2\n`,
		files: ['modified sub > sub +1 -1'],
	},
	{
		name: 'a file that becomes a link',
		text: 'diff --git a/x b/x\ndeleted file mode 100644\nindex 1111111..0000000\n--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\ndiff --git a/x b/x\nnew file mode 120000\nindex 0000000..2222222\n--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+y\n\\ No newline at end of file\n',
		files: ['deleted x > - +0 -1', 'added - > x +1 -0'],
	},
	{
		name: 'a binary patch and text behind it',
		text: `${binaryHeader}GIT binary patch\n${literal}${literal}-- \n2.39.5\n`,
		files: ['modified i.png > i.png binary'],
	},
	{
		name: 'a binary patch in one direction',
		text: `${binaryHeader}GIT binary patch\n${literal}${header}${oneHunk}`,
		files: ['modified i.png > i.png binary', 'modified x > x +1 -1'],
	},
	{
		name: 'binary files that only differ',
		text: `${binaryHeader}Binary files a/i.png and b/i.png differ\n${header}${oneHunk}`,
		files: ['modified i.png > i.png binary', 'modified x > x +1 -1'],
	},
	{
		name: 'a binary patch whose line has a wrong length',
		text: `${binaryHeader}GIT binary patch\nliteral 3\nKcmYdfNCE%>hycU\n\n${header}${oneHunk}`,
		files: ['modified i.png > i.png binary badBinary', 'modified x > x +1 -1'],
		gitDiffers: 'it refuses all',
	},
	{
		name: 'a binary patch with a letter that is no digit of it',
		text: `${binaryHeader}GIT binary patch\nliteral 3\nKcmYdfNCE%>hycU,\n\n${header}${oneHunk}`,
		files: ['modified i.png > i.png binary badBinary', 'modified x > x +1 -1'],
		gitDiffers: 'it refuses all',
	},
	{
		name: 'a sentence that begins with diff --git',
		text: `diff --git is what it says.\n\n${header}${oneHunk}`,
		files: ['modified x > x +1 -1 namelessHeader'],
		gitDiffers: 'it refuses all, for there is no name in it',
	},
	{
		name: 'a merge',
		text: `diff --cc x\nindex 1111111,2222222..3333333\n--- a/x\n+++ b/x\n@@@ -1,3 -1,3 +1,4 @@@\n  a\n +b\n+ c\n++d\n- e\n -f\n${header.replaceAll('/x', '/y')}${oneHunk}`,
		files: ['modified x > x combined', 'modified y > y +1 -1'],
		gitDiffers: 'it knows no merges and steps over them',
	},
	{
		name: 'a line that a mailer has broken',
		text: `${header}@@ -1,3 +1,3 @@\n a line that was\nbroken\n-one\n+two\n b\n${header.replaceAll('/x', '/y')}${oneHunk}`,
		files: ['modified x > x +1 -1 wrappedLine', 'modified y > y +1 -1'],
		gitDiffers: 'it refuses all',
	},
	{
		name: 'a hunk that is cut short by the next file',
		text: `${header}@@ -1,9 +1,9 @@\n a\n-one\n+two\n${header.replaceAll('/x', '/y')}${oneHunk}`,
		files: ['modified x > x +1 -1 cutShort', 'modified y > y +1 -1'],
		gitDiffers: 'it refuses all',
	},
	{
		name: 'a hunk that is cut short by the next hunk',
		text: `${header}@@ -1,9 +1,9 @@\n a\n-one\n+two\n@@ -20 +20 @@\n-a\n+b\n`,
		files: ['modified x > x +2 -2 cutShort'],
		gitDiffers: 'it refuses all',
	},
	{
		name: 'more added lines than are counted',
		text: `${header}@@ -1,3 +1,2 @@\n+a\n+b\n+c\n d\n@@ -20 +20 @@\n-a\n+b\n`,
		files: ['modified x > x +3 -1 cutShort'],
		gitDiffers: 'it refuses all',
	},
	{
		name: 'a hunk that is apart from its file by an empty line',
		text: `${header}${oneHunk}\n@@ -20 +20 @@\n-three\n+four\n-- \n2.40\n`,
		files: ['modified x > x +1 -1 hunkApart'],
		gitDiffers: 'it refuses all',
	},
	{
		name: 'more added lines than are counted before another hunk',
		text: `${header}${oneHunk}+three\n${oneHunk}`,
		files: ['modified x > x +1 -1 hunkApart'],
		gitDiffers: 'it refuses all',
	},
	{
		name: 'hunks that are apart from a file above and below it',
		text: `---\n${oneHunk}${header}${oneHunk}prose\n${oneHunk}more of it\n${oneHunk}`,
		files: ['modified x > x +1 -1 hunkApart'],
		gitDiffers: 'it refuses all',
	},
	{
		name: 'a hunk in the message above the patch',
		text: `It was:\n\n${oneHunk}---\n x | 1 +\n\n${header}${oneHunk}`,
		files: ['modified x > x +1 -1'],
		gitDiffers: 'it is given what stands below the message',
	},
	{
		name: 'a line that is not quite the header of a hunk',
		text: `${header}${oneHunk}prose\n@@ -20 and +20 @@\n@@ -20 +20\n`,
		files: ['modified x > x +1 -1'],
	},
	{
		name: 'headers of hunks that cannot be read',
		text: `${header}@@ -1,x +1 @@\n-a\n+b\n@@ -20 +20 @@\n-a\n+b\n${header.replaceAll('/x', '/y')}@@ 1 1 @@\n-a\n+b\n`,
		files: ['modified x > x +1 -1 badHunkHeader', 'modified y > y +0 -0 badHunkHeader'],
		gitDiffers: 'it refuses all',
	},
	{
		name: 'numbers beyond all measure',
		text: `${header}@@ -1,99999999999999999999 +1 @@\n-a\n+b\n`,
		files: ['modified x > x +0 -0 badHunkHeader'],
		gitDiffers: 'it refuses all',
	},
	{
		name: 'a plain diff of a file without a folder, which shows that the names below have no prefixes',
		text: `--- x\n+++ x\n${oneHunk}--- a/y\n+++ b/y\n${oneHunk}`,
		files: ['modified x > x +1 -1', 'modified b/y > b/y +1 -1'],
	},
	{
		name: 'a plain diff of a new file without a folder, which shows the same',
		text: `--- /dev/null\n+++ x\n@@ -0,0 +1 @@\n+a\n--- a/y\n+++ b/y\n${oneHunk}`,
		files: ['added - > x +1 -0', 'modified b/y > b/y +1 -1'],
	},
	{
		name: 'a plain diff with a folder on one side alone',
		text: `--- x\n+++ b/x\n${oneHunk}--- a/y\n+++ y\n${oneHunk}--- a/z\n+++ b/z\n${oneHunk}`,
		files: ['modified x > x +1 -1', 'modified y > y +1 -1', 'modified b/z > b/z +1 -1'],
	},
	{
		name: 'a plain diff that deletes a file without a folder',
		text: '--- x\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n',
		files: ['deleted x > - +0 -1'],
		gitDiffers: 'it has no name left when a folder is taken off',
	},
	{
		name: 'a deleted file without a folder beside names with prefixes',
		text: `${header}${oneHunk}--- y\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n`,
		files: ['modified x > x +1 -1', 'deleted y > - +0 -1 noPrefix'],
		gitDiffers: 'it refuses all',
	},
	{
		name: 'a plain diff with times without zones and with blanks before them',
		text: `--- a/x   2020-01-02 03:04:05\n+++ b/x   2021-01-02 03:04:05.5\n${oneHunk}`,
		files: ['modified x > x +1 -1'],
	},
	{
		name: 'a plain diff with quoted names',
		text: `--- "a/gr\\303\\274n"\n+++ "b/gr\\303\\274n"\n${oneHunk}`,
		files: ['modified grün > grün +1 -1'],
	},
	{
		name: 'a line that begins with a backslash',
		text: `${header}@@ -1,2 +1,2 @@\n a\n\\x is not an end of the file\n-one\n+two\n`,
		files: ['modified x > x +1 -1 wrappedLine'],
		gitDiffers: 'it refuses all',
	},
	{
		name: 'a lone header above a diff of the same file, above a plain diff and above a rename',
		text: `diff --git a/x b/x\nprose\n${header}${oneHunk}diff --git a/z b/z\nprose\n--- a/y\n+++ b/y\n${oneHunk}diff --git a/z b/z\nprose\ndiff --git a/o b/n\nsimilarity index 100%\nrename from o\nrename to n\n`,
		files: ['modified x > x +1 -1', 'modified y > y +1 -1', 'renamed o > n +0 -0'],
	},
	{
		name: 'a lone header above a merge',
		text: 'diff --git a/y b/y\nprose\ndiff --cc x\nnew file mode 100644\nindex 1,2..3\n--- /dev/null\n+++ b/x\n',
		files: ['added - > x combined'],
		gitDiffers: 'it knows no merges and steps over them',
	},
	{
		name: 'a lone header of the same file above a new one',
		text: 'Hi\n\ndiff --git a/n b/n\nprose\ndiff --git a/n b/n\nnew file mode 100644\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+a\n',
		files: ['added - > n +1 -0 loneHeader'],
		gitDiffers: 'it refuses all',
	},
	{
		name: 'a lone header of the same file above a deleted one',
		text: `${header}${oneHunk}diff --git a/d b/d\nprose\ndiff --git a/d b/d\ndeleted file mode 100644\n--- a/d\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n`,
		files: ['modified x > x +1 -1', 'deleted d > - +0 -1 loneHeader'],
		gitDiffers: 'it refuses all',
	},
	{
		name: 'two deleted files, and a file that is changed twice',
		text: `${['d', 'e'].map((name) => `diff --git a/${name} b/${name}\ndeleted file mode 100644\n--- a/${name}\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n`).join('')}${header}${oneHunk}${header}@@ -1 +1 @@\n-two\n+three\n`,
		files: ['deleted d > - +0 -1', 'deleted e > - +0 -1', 'modified x > x +1 -1', 'modified x > x +1 -1'],
	},
	{
		name: 'a header without names at the end, with five characters behind it',
		text: `${header}${oneHunk}diff --git a/x\n12345`,
		files: ['modified x > x +1 -1'],
	},
	{
		name: 'a header without names, with six characters behind it',
		text: `${header}${oneHunk}diff --git a/x\n123456`,
		files: ['modified x > x +1 -1 namelessHeader'],
		gitDiffers: 'it refuses all',
	},
	{
		name: 'a broken line, and another hunk apart from the file',
		text: `${header}@@ -1,2 +1,2 @@\n a\nbroken\n-one\n+two\nprose\n${oneHunk}`,
		files: ['modified x > x +1 -1 wrappedLine hunkApart'],
		gitDiffers: 'it refuses all',
	},
	{
		name: 'lines that are not quite the names of a plain diff above a hunk',
		text: `${header}${oneHunk}--- a/y\nprose\n${oneHunk}${header.replaceAll('/x', '/z')}${oneHunk}-- b/y\n+++ b/y\n${oneHunk}`,
		files: ['modified x > x +1 -1 hunkApart', 'modified z > z +1 -1 hunkApart'],
		gitDiffers: 'it refuses all',
	},
	{
		name: 'a plain diff with an empty name',
		text: `--- \n+++ b/x\n${oneHunk}--- a/y\n+++ \n${oneHunk}`,
		files: [],
		gitDiffers: 'it refuses the first one and takes the second one',
	},
	{
		name: 'binary files in the words of diff',
		text: `${binaryHeader}Files a/i.png and b/i.png differ\n`,
		files: ['modified i.png > i.png binary'],
	},
	{
		name: 'lines that are not quite those of binary files',
		text: ['GIT binary patch too', ' GIT binary patch', 'They differ', 'Binary files a/i.png and b/i.png are one']
			.map((line) => `${binaryHeader}${line}\n`)
			.join(''),
		files: Array.from({ length: 4 }, () => 'modified i.png > i.png +0 -0 onlyHeader'),
	},
	...[
		'',
		'prose\n',
		' a literal 3\nKcmYdfNCE%>hycU@\n\n',
		'literal 3\nKcmYdfNCE%>hycU@\n',
		`${literal}${literal.replace('@', '')}`,
	].map((data) => ({
		name: `a binary patch of ${JSON.stringify(data)}`,
		text: `${binaryHeader}GIT binary patch\n${data}`,
		files: ['modified i.png > i.png binary badBinary'],
		gitDiffers: 'it refuses all',
	})),
	...['D0000', 'D000000', 'E00000', 'A0000000000', 'D0000000000', '!00000', 'KcmYdfNCE%>hycU', 'LcmYdfNCE%>hycU@0'].map(
		(line) => ({
			name: `a binary patch with the line ${line} right before the next file`,
			text: `${binaryHeader}GIT binary patch\nliteral 3\n${line}\n${header}${oneHunk}`,
			files: ['modified i.png > i.png binary badBinary', 'modified x > x +1 -1'],
			gitDiffers: 'it refuses all',
		}),
	),
];
