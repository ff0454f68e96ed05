import type { Turn } from '../../../src/worlds/tickets/turns.ts';

export const longTitle = 'Undo history should survive closing the editor';

export const longDescription = `Closing Lantern throws the undo history away. I would like to close a file, open it the next day, and still be able to go back.

## What I would expect

- [x] undo works across restarts
- [ ] nothing is stored for files that I mark as secret
- [ ] the history can be thrown away with one command

## What other editors do

| editor | keeps history | where |
|---|---|---|
| one | yes | next to the file |
| another | yes | in a state directory |
| Lantern | **no** | – |

\`\`\`c
struct step {
	size_t at;      /* byte offset */
	char *removed;  /* may be NULL */
	char *added;
};
\`\`\`

> An editor should never lose what a person wrote.

Unicode, to be sure: 日本語, naïve café, 🚀.`;

/** Several dozens of turns with events of all kinds. */
export const longDiscussion: readonly Turn[] = [
	{ who: 'alice', adds: 'enhancement' },
	{ who: 'alice', adds: 'undo' },
	{ who: 'bob', says: 'Yes please. I lost half a day of work to this last spring, and to a cat.' },
	{ who: 'alice', moves: 'confirmed', says: 'Agreed that we want it. The question is only where to put the data.' },
	{
		who: 'carol',
		says: 'Two choices as I see it:\n\n1. a file next to the edited one\n2. one file per path below `$XDG_STATE_HOME/lantern/undo`\n\nThe first one litters, the second one goes stale when files are moved.',
	},
	{
		who: 'dave',
		says: '> The first one litters\n\nIt also leaks into archives and repositories. I have seen passwords in those.',
	},
	{
		who: 'bob',
		says: 'Then the second. A hash of the path as name:\n\n```sh\nprintf %s "$PWD/file.txt" | sha256sum | cut -c1-32\n```',
	},
	{
		who: 'grace',
		says: 'Please think about shared machines: the directory has to be `0700`, and root should not be surprised either.',
	},
	{ who: 'alice', assigns: 'bob' },
	{ who: 'bob', moves: 'in_progress', says: 'I will try. First the format, then the code.' },
	{
		who: 'bob',
		says: 'Format, first draft:\n\n| offset | size | meaning |\n|---:|---:|---|\n| 0 | 4 | magic `LUN1` |\n| 4 | 8 | length of the file |\n| 12 | 32 | hash of the file |\n| 44 | – | steps, newest last |\n\nIf the hash does not match, the history is **not** used.',
	},
	{ who: 'dave', says: 'Why not use it and try to match? Diffing the two versions would often work.' },
	{ who: 'bob', says: 'Often is the problem. An undo that does the wrong thing is worse than none.' },
	{ who: 'carol', says: 'I am with ~bob here. ~dave, you can still have it as a plugin later.' },
	{ who: 'dave', says: 'Fine with me.' },
	{
		who: 'frank',
		says: 'Packager hat on: please no new dependency for the hash, we have one in the tree already (`lib/hash.c`).',
	},
	{ who: 'alice', says: 'Right. And the limit? Somebody will open a log of 2 GiB and replace every second letter.' },
	{
		who: 'bob',
		says: 'Three limits, all of them settings:\n\n```toml\n[undo]\nkeep-days = 90\nkeep-bytes = 8388608\nnever-for = ["*.gpg", "/tmp/*"]\n```',
	},
	{ who: 'grace', says: 'I like `never-for`. Could it take the word `secret` files of the session as well?' },
	{
		who: 'heidi',
		says: 'Naming: we say *history* in the manual and *undo* in the code. Pick one for the setting, please.',
	},
	{ who: 'bob', says: '`undo` it is, people type that.' },
	{ who: 'alice', adds: 'bug' },
	{ who: 'alice', removes: 'bug' },
	{ who: 'alice', says: 'Sorry, wrong label.' },
	{
		who: 'bob',
		says: 'First patches are on the list. What works:\n\n- [x] write on close\n- [x] read on open\n- [x] limits by size\n- [ ] limits by age\n- [ ] `:undo forget`',
	},
	{
		who: 'carol',
		says: 'Tried it. Works here, one crash though:\n\n```\n#0  0x000055 in undo_read (path=0x0) at src/undo.c:212\n#1  0x000055 in buffer_open () at src/buffer.c:88\n#2  0x000055 in main () at src/main.c:41\n```\n\nStart `lantern` without a file name.',
	},
	{ who: 'bob', says: 'Ha. Fixed in v2, and there is a test now.' },
	{
		who: 'dave',
		says: 'Benchmarks, 10 MB file, 2,000 steps:\n\n| | before | after |\n|---|---:|---:|\n| open | 41 ms | 44 ms |\n| close | 3 ms | 19 ms |\n\nClose is noticeable on my old laptop, but only just.',
	},
	{ who: 'bob', says: 'v3 writes in the background; close is back at 4 ms.' },
	{ who: 'frank', says: 'What happens when two editors have the same file open?' },
	{ who: 'bob', says: 'The last one wins. Same as for the file itself, sadly.' },
	{ who: 'alice', moves: 'pending', says: 'Waiting for the release branch; 0.10 is frozen.' },
	{ who: 'grace', says: 'Meanwhile I wrote the manual page. See the [draft](https://lantern.example/drafts/undo).' },
	{
		who: 'heidi',
		says: 'Draft reads well. Two nits:\n\n> The history is kept for ninety days\n\nsay *by default*, and\n\n> it will be discarded\n\nsay by whom.',
	},
	{ who: 'alice', assigns: 'dave' },
	{ who: 'alice', unassigns: 'dave' },
	{ who: 'alice', resolves: 'implemented', says: 'Merged, thank you all. This was a long one.' },
	{
		who: 'carol',
		says: 'It does not work for files opened through a symbolic link: the history is there twice, see #2.',
	},
	{ who: 'alice', moves: 'reported', says: 'Reopening for the symbolic links.' },
	{
		who: 'bob',
		says: 'The path has to be resolved *before* hashing:\n\n```diff\n-	char *key = hash_path(path);\n+	char *real = realpath(path, NULL);\n+	char *key = hash_path(real ? real : path);\n```',
	},
	{ who: 'dave', says: 'Careful, `realpath` allocates.' },
	{ who: 'bob', says: 'It is freed three lines further down, but you are right that it looks odd. Sent v2.' },
	{ who: 'alice', resolves: 'fixed', says: 'Merged. Closing for the second time.' },
	{ who: 'frank', says: 'Shipped to testing an hour ago. 🎉' },
];
