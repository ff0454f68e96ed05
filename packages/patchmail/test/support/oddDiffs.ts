import type { Random } from '../../../../test/support/random.ts';

/** A diff of `file`, and the text that it applies to; `undefined` for a missing file. One character per byte. */
export interface OddDiff {
	readonly diff: string;
	readonly onto: string | undefined;
}

const letters = ['a', 'b', 'c', '', ' ', 'x  ', '}', '\tif', 'd\r', '\xe9', '\xb8\xf1', '\xc3\xa9'] as const;
const marker = '\\ No newline at end of file';

function lineOf(random: Random): string {
	return `${random.pick<string>(letters)}${random.chance(60) ? random.below(40) : ''}`;
}

interface OddHunk {
	readonly start: number;
	readonly growth: number;
	readonly lines: readonly string[];
}

/** A hunk that changes some lines at `at`, with the given context where possible. */
function hunkAt(random: Random, text: readonly string[], at: number, isOpen: boolean): OddHunk {
	const [lead, trail] = random.chance(75) ? [3, 3] : [random.below(4), random.below(4)];
	const removed = Math.min(random.below(3), text.length - at);
	const added = Array.from({ length: removed === 0 ? 1 + random.below(2) : random.below(3) }, () => lineOf(random));
	const start = Math.max(0, at - lead);
	const end = Math.min(text.length, at + removed + trail);
	const marked = (sign: string, lines: readonly string[], isEnd: boolean): readonly string[] =>
		lines.flatMap((line, index) =>
			isOpen && isEnd && index === lines.length - 1 ? [`${sign}${line}`, marker] : [`${sign}${line}`],
		);
	const isEnd = end === text.length;
	const isChangeLast = at + removed === end;
	return {
		start,
		growth: added.length - removed,
		lines: [
			...text.slice(start, at).map((line) => ` ${line}`),
			...marked('-', text.slice(at, at + removed), isEnd && isChangeLast),
			...marked('+', added, isEnd && isChangeLast),
			...marked(' ', text.slice(at + removed, end), isEnd),
		],
	};
}

function headerOf(start: number, growth: number, lines: readonly string[]): string {
	const count = (other: string): number =>
		lines.filter((line) => !line.startsWith(other) && !line.startsWith('\\')).length;
	const [old, fresh] = [count('+'), count('-')];
	const range = (first: number, lineCount: number): string =>
		lineCount === 1 ? String(first) : `${first},${lineCount}`;
	return `@@ -${range(old === 0 ? start : start + 1, old)} +${range(fresh === 0 ? start + growth : start + growth + 1, fresh)} @@`;
}

/** One hostile change to the lines of a hunk. */
function twisted(random: Random, lines: readonly string[]): readonly string[] {
	const at = random.below(lines.length + 1);
	const twist = random.below(7);
	switch (twist) {
		case 0:
			return lines.toSpliced(at, 0, random.chance(80) ? marker : '\\ no');
		case 1:
			return lines.filter((line, index) => index > 2 || !line.startsWith(' '));
		case 2:
			return lines.filter((line, index) => index < lines.length - 3 || !line.startsWith(' '));
		case 3:
			return lines.filter((line) => !line.startsWith(' '));
		case 4:
			return lines.toSpliced(at, 0, ` ${lineOf(random)}`);
		case 5:
			return lines.map((line) => (line === ' ' ? '' : line));
		default:
			return lines.filter((line) => line.startsWith(' '));
	}
}

function drifted(random: Random, text: readonly string[]): readonly string[] {
	return random.chance(60)
		? text
		: text.toSpliced(
				random.below(text.length + 1),
				random.below(2),
				...Array.from({ length: random.below(4) }, () => lineOf(random)),
			);
}

/** Diffs of one file as people, programs and attackers write them; about half apply. */
export function oddDiff(random: Random): OddDiff {
	const text = Array.from({ length: random.below(30) }, () => lineOf(random));
	const isOpen = random.chance(20) && text.length > 0;
	const hunks = oddHunks(random, text, isOpen);
	const body = (random.chance(10) ? hunks.toReversed() : hunks).join('');
	const applied = drifted(random, text);
	const onto = applied.join('\n') + (applied.length > 0 && !isOpen && !random.chance(3) ? '\n' : '');
	const end = '-- \n2.39.5\n';
	if (random.chance(75)) {
		const header = random.chance(30) ? '' : 'diff --git a/file b/file\n';
		return { diff: `${header}--- a/file\n+++ b/file\n${body}${end}`, onto };
	}
	const [header, side] = random.pick(oddHeaders);
	const lines = side === undefined || random.chance(20) ? body : wholeSide(side, onto);
	return { diff: header + lines + end, onto: random.chance(side === '+' ? 70 : 5) ? undefined : onto };
}

function oddHunks(random: Random, text: readonly string[], isOpen: boolean): readonly string[] {
	const places = Array.from({ length: 1 + random.below(3) }, () => random.below(text.length + 1));
	const hunks: string[] = [];
	let [growth, last] = [0, -1];
	for (const at of places.toSorted((a, b) => a - b)) {
		const hunk = hunkAt(random, text, at, isOpen);
		if (hunk.start > last || random.chance(20)) {
			const lines = random.chance(25) ? twisted(random, hunk.lines) : hunk.lines;
			const shift = random.chance(15) ? random.below(9) - 4 : 0;
			hunks.push([headerOf(Math.max(0, hunk.start + shift), growth, lines), ...lines, ''].join('\n'));
			growth += hunk.growth;
			last = hunk.start + hunk.lines.length;
		}
	}
	return hunks;
}

/** File headers, and the only side of the lines of a new or deleted file. */
const oddHeaders: readonly [
	readonly [header: string, side: '+' | '-' | undefined],
	...(readonly [string, '+' | '-' | undefined])[],
] = [
	['diff --git a/file b/file\nnew file mode 100644\n--- /dev/null\n+++ b/file\n', '+'],
	['--- /dev/null\n+++ b/file\n', '+'],
	['--- a/file\n+++ b/file\n', '+'],
	['--- a/file\t1970-01-01 00:00:00 +0000\n+++ b/file\t2020-01-01 00:00:00 +0000\n', '+'],
	['diff --git a/file b/file\ndeleted file mode 100644\n--- a/file\n+++ /dev/null\n', '-'],
	['--- a/file\n+++ /dev/null\n', '-'],
	['diff --git a/file b/file\nold mode 100644\nnew mode 100755\n--- a/file\n+++ b/file\n', undefined],
	[
		'diff --git a/file b/other\nsimilarity index 90%\nrename from file\nrename to other\n--- a/file\n+++ b/other\n',
		undefined,
	],
	['diff --git a/file b/other\ncopy from file\ncopy to other\n--- a/file\n+++ b/other\n', undefined],
	['diff --git a/file b/file\nindex 1111111..2222222 100644\n', undefined],
	['diff --git file file\n--- file\n+++ file\n', undefined],
	['--- file\n+++ file\n', undefined],
	['diff --git lost\n--- a/file\n+++ b/file\n', undefined],
];

function wholeSide(sign: '+' | '-', text: string): string {
	const lines = text.split('\n');
	const isOpen = lines.at(-1) !== '';
	const signed = (isOpen ? lines : lines.slice(0, -1)).map((line) => `${sign}${line}\n`);
	const range = `${signed.length === 0 ? 0 : 1},${signed.length}`;
	const header = sign === '+' ? `@@ -0,0 +${range} @@\n` : `@@ -${range} +0,0 @@\n`;
	return text === '' ? '' : header + signed.join('') + (isOpen ? `${marker}\n` : '');
}
