import { modes } from '../../src/git/gitObjects.ts';
import type { History, Line } from '../worlds/repositories/history.ts';

/** A repository with valid names and references that break software. */
export function tellOddNames(history: History): Line {
	const line = history.line();
	for (const [path, content] of oddFiles) {
		history.put(line, path, content);
	}
	const first = history.commit(line, history.crew.bob, 'Names that are allowed\n\nNone of them is nice.\n');
	history.put(line, 'normal.txt', 'for comparison\n');
	const second = history.commit(line, history.crew.bob, ''.padEnd(400, 'A subject that never ends. ').trim(), {
		signed: false,
	});
	history.put(line, 'many/0000.txt', '0\n');
	for (let number = 1; number < 600; number++) {
		history.put(line, `many/${String(number).padStart(4, '0')}.txt`, `${number}\n`);
	}
	const third = history.commit(line, history.crew.dave, '\n', { signed: false });
	const one = grow(history, line, 'one');
	const two = grow(history, line, 'two');
	history.commit(line, history.crew.bob, 'Merge two branches at once\n', { parents: [one, two] });
	history.put(line, 'run', '#!/bin/sh\n', modes.executable);
	const last = history.commit(
		line,
		history.crew.bob,
		'<script>alert(1)</script> & "quotes" \u202Egnp.exe\n\n\u001B[31mred\u001B[0m\n',
	);
	nameRefs(history, { first, second, third, last });
	return line;
}

const oddFiles: readonly (readonly [path: string, content: string])[] = [
	['-starts-with-a-dash', '-\n'],
	['--help', '--\n'],
	[' starts and ends with a space ', 'spaces\n'],
	['ends with a dot.', 'dot\n'],
	['CON', 'a device elsewhere\n'],
	['aux.c', 'int aux;\n'],
	['case.txt', 'lower\n'],
	['CASE.txt', 'upper\n'],
	['percent%20encoded%2Fslash.txt', 'percent\n'],
	['question?.txt', '?\n'],
	['hash#tag.txt', '#\n'],
	['back\\slash.txt', '\\\n'],
	['colon:name.txt', ':\n'],
	['star*pipe|quote".txt', '*|"\n'],
	['new\nline.txt', 'newline\n'],
	['tab\there.txt', 'tab\n'],
	['<img src=x onerror=alert(1)>.html', '<b>bold</b>\n'],
	['$(touch gone).sh', 'echo no\n'],
	['plus+and&and=and;.txt', '+&=;\n'],
	['right\u202Egnp.txt', 'turned\n'],
	['zero\u200Bwidth.txt', 'invisible\n'],
	['e\u0301 decomposed.txt', 'nfd\n'],
	['\u00e9 composed.txt', 'nfc\n'],
	['👩‍🚀 family 👨‍👩‍👧‍👦.md', '# 👋\n'],
	['...', 'three dots\n'],
	['..hidden/..also/x', 'x\n'],
	[`${'long-'.repeat(50)}.txt`, 'long\n'],
	['tree/blob/log/refs', 'words of addresses\n'],
	['item/readme.md', 'words of addresses\n'],
];

function grow(history: History, line: Line, name: string): string {
	const branch = history.split(line);
	history.put(branch, `grown/${name}.txt`, `${name}\n`);
	const id = history.commit(branch, history.crew.dave, `Grow ${name}\n`);
	const grown = branch.files.get(`grown/${name}.txt`);
	if (grown !== undefined) {
		line.files.set(`grown/${name}.txt`, grown);
	}
	return id;
}

interface Ids {
	readonly first: string;
	readonly second: string;
	readonly third: string;
	readonly last: string;
}

function nameRefs(history: History, { first, second, third, last }: Ids): void {
	const { draft, crew } = history;
	const branches = [
		['feature', second],
		['feature-2/x/y/z', second],
		['percent%2Fencoded', second],
		['hash#and%no', second],
		['ünïcödé/ブランチ', third],
		['right\u202Etfel', third],
		['quote\'"<b>', third],
		['$HOME;ls', third],
		['both', first],
		['deadbeef', second],
		// The short id of another commit: the branch wins.
		[last.slice(0, 7), first],
	] as const;
	for (const [name, id] of branches) {
		draft.ref(`refs/heads/${name}`, id);
	}
	// A tag and a branch of one name: the tag wins.
	draft.ref('refs/tags/both', third);
	draft.ref('refs/tags/lightweight', second);
	draft.ref('refs/notes/commits', first);
	const blob = draft.blob('A key that somebody might want to check.\n');
	draft.ref('refs/tags/a-blob', blob);
	draft.ref('refs/tags/a-tree', draft.tree(new Map([['in-a-tree.txt', { mode: modes.file, id: blob }]])));
	history.tag('annotated/with/slashes', second, crew.bob, 'Ümlaut — and\n\nmore than one paragraph.\n');
	const inner = draft.refs.get('refs/tags/annotated/with/slashes') ?? second;
	const tagger = { name: crew.dave.name, email: crew.dave.email, timeS: history.nowS(), offset: crew.dave.offset };
	const outer = draft.tag({ name: 'tag-of-a-tag', target: inner, type: 'tag', tagger, message: 'Twice.\n' });
	draft.ref('refs/tags/tag-of-a-tag', outer);
}
