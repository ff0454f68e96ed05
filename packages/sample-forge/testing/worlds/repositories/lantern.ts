import type { Random } from '../../../../../test/support/random.ts';
import { editorParts } from '../parts.ts';
import { modes } from '../../../src/git/gitObjects.ts';
import { develop, firstItems, type Project } from './development.ts';
import type { History, Line } from './history.ts';
import { drawLantern } from './picture.ts';
import { stemOf } from './sourceText.ts';

const texts = [
	'doc/manual/01 first steps.md',
	'doc/manual/02 editing.md',
	'doc/manual/03 plugins.md',
	'doc/settings.md',
	'doc/日本語/はじめに.md',
	'doc/Grüße aus Zürich.md',
	'share/themes/solar flare.toml',
	'share/themes/midnight.toml',
	'po/de.po',
	'po/ja.po',
] as const;

const licence = `Copyright (c) 2024 the Lantern people

Permission is hereby granted to use, copy, change and pass on this sample
program for any purpose. It comes as it is, without any promise.
`;

const readme = `# Lantern

A small text editor for the terminal — fast to start, kind to slow links.

![A lantern](share/icons/lantern.png)

## Building

\`\`\`sh
git clone --recurse-submodules …/~alice/lantern
cd lantern && ./configure && make
\`\`\`

The syntax library lives in [wick](lib/wick). Patches go to the list \`~alice/lantern-devel\`.

| part | where |
|---|---|
| editor | \`src\` |
| manual | [\`doc/manual\`](doc/manual) |
| themes | \`share/themes\` |
`;

/** The editor: the largest sample repository. */
export function tellLantern(history: History, wickCommits: readonly string[]): Line {
	const line = history.line();
	begin(history, line);
	history.commit(
		line,
		history.crew.alice,
		'Lantern, a small editor\n\nIt opens a file and shows it. That is all, so far.\n',
		{
			signed: false,
		},
	);
	const firstWick = wickCommits[Math.floor(wickCommits.length / 3)] ?? '';
	const project: Project = {
		tracker: '~alice/lantern',
		tickets: 200,
		subjects: editorParts,
		texts,
		keeper: history.crew.alice,
		commits: 240,
		releases: ['0.8.0', '0.8.7'],
	};
	develop(history, line, project);
	addWick(history, line, firstWick);
	addOddFiles(history, line);
	history.commit(
		line,
		history.crew.bob,
		'test: files that editors stumble over\n\nCRLF, Latin-1, nothing at all, no line end, very deep and very long.\n',
	);
	develop(history, line, { ...project, commits: 270, releases: ['0.9.0', '0.9.1', '0.9.2'] });
	leaveBranches(history, line, project);
	history.put(line, 'lib/wick', wickCommits.at(-1) ?? '', modes.submodule);
	history.commit(line, history.crew.alice, 'wick: update to the newest\n');
	develop(history, line, { ...project, commits: 190, releases: ['0.10.0'] });
	history.draft.ref('refs/tags/nightly', line.head ?? '');
	return line;
}

function begin(history: History, line: Line): void {
	const { random } = history;
	history.put(line, 'README.md', readme);
	history.put(line, 'README', 'README.md', modes.symlink);
	history.put(line, 'LICENSE', licence);
	history.put(line, '.gitignore', '*.o\n/lantern\n/config.mk\n');
	history.put(line, '.editorconfig', 'root = true\n\n[*]\nindent_style = tab\nend_of_line = lf\n');
	history.put(line, 'Makefile', 'SRC != ls src/*.c\n\nlantern: ${SRC:.c=.o}\n\t${CC} -o $@ $^ ${LDLIBS}\n');
	history.put(line, 'configure', '#!/bin/sh\nset -eu\nprintf "CC = %s\\n" "${CC:-cc}" >config.mk\n', modes.executable);
	for (const { name, file } of editorParts) {
		const items = firstItems(random, 3 + random.below(4));
		history.source(line, { path: file, about: `${name} of Lantern.`, items });
		history.source(line, { path: file.replace(/\.c$/, '.h'), about: `${name} of Lantern.`, items });
	}
	for (const path of texts) {
		history.source(line, { path, about: stemOf(path), items: firstItems(random, 3) });
	}
}

function addWick(history: History, line: Line, commit: string): void {
	history.put(line, '.gitmodules', '[submodule "lib/wick"]\n\tpath = lib/wick\n\turl = ../../~bob/wick\n');
	history.put(line, 'lib/wick', commit, modes.submodule);
	history.put(line, 'lib/README.md', '# Libraries\n\nEverything here has a home of its own.\n');
	history.commit(line, history.crew.bob, 'Take wick as a submodule\n\nIt has outgrown its folder.\n');
}

function addOddFiles(history: History, line: Line): void {
	const { random } = history;
	const put = (path: string, content: string | Uint8Array, mode?: number): void =>
		history.put(line, path, content, mode);
	put('test/fixtures/crlf.txt', 'first\r\nsecond\r\n\r\nlast without end');
	put('test/fixtures/latin1.txt', Buffer.from('na\u00efve caf\u00e9 \u00a3 5\n', 'latin1'));
	put('test/fixtures/empty.txt', '');
	put('test/fixtures/bom.txt', '\ufeffbegins with a mark\n');
	put('test/fixtures/mixed endings.txt', 'one\ntwo\r\nthree\rfour\n');
	put('test/fixtures/one long line.txt', `${'lantern '.repeat(2500)}\n`);
	put('test/fixtures/page.html', '<!doctype html><title>A page</title><script src="page.js"></script>\n');
	put('test/fixtures/data.json', '{"colours": ["#cc0000", "#336699"], "size": 12}\n');
	put('test/fixtures/a/b/c/d/e/f/g/h/deep.txt', 'You came a long way.\n');
	put('test/fixtures/what? #1 100%.txt', 'A name that addresses have to escape.\n');
	put('test/run.sh', '#!/bin/sh\nexec prove -r t "$@"\n', modes.executable);
	put('test/fixtures/link-to-deep', 'a/b/c/d/e/f/g/h/deep.txt', modes.symlink);
	put('test/fixtures/link-to-nowhere', '../gone/for/good', modes.symlink);
	put('test/fixtures/link-outside', '/etc/lantern/lantern.toml', modes.symlink);
	put('test/fixtures/link-to-folder', 'a/b', modes.symlink);
	put('share/icons/lantern.png', drawLantern(48));
	put(
		'share/icons/lantern.svg',
		'<svg xmlns="http://www.w3.org/2000/svg"><circle r="9" cx="9" cy="9" fill="#fc6"/></svg>\n',
	);
	put('share/logo.bin', noise(random, 2600));
	put('share/spell/words.txt', words(random, 40_000));
	put('share/unicode/widths.bin', noise(random, 200_000));
}

function noise(random: Random, length: number): Uint8Array {
	return Uint8Array.from({ length }, () => random.below(256));
}

function words(random: Random, count: number): string {
	const syllables = ['lan', 'tern', 'wick', 'ö', 'flame', 'shade', 'ra', 'no', 'ti', 'ß', 'mer', 'ko'] as const;
	const word = (): string => random.pick(syllables) + random.pick(syllables) + random.pick(syllables);
	return `${Array.from({ length: count }, word).join('\n')}\n`;
}

/** Unmerged branches. */
function leaveBranches(history: History, line: Line, project: Project): void {
	const names = [
		['feature/rectangular-selection', history.crew.bob],
		['feature/editorconfig/globs', history.crew.dave],
		['fix/wide-cells', history.crew.alice],
		['carol/docs', history.crew.carol],
		['release/0.9', history.crew.alice],
	] as const;
	for (const [name, author] of names) {
		const branch = history.split(line);
		const { file } = history.random.pick(project.subjects);
		history.edit(branch, file, (items) => items.map((item) => ({ ...item, limit: item.limit + 1 })));
		history.commit(branch, author, `${stemOf(file)}: first step towards ${name}\n`);
		history.edit(branch, file, (items) => items.map((item) => ({ ...item, guarded: true })));
		const id = history.commit(branch, author, `${stemOf(file)}: second step towards ${name}\n`);
		history.draft.ref(`refs/heads/${name}`, id);
	}
}
