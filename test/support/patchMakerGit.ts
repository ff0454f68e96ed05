import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import type { MadeFile, MadeTree } from './madeTree.ts';

/** Runs git in a folder, without the machine's settings. */
export function gitIn(folder: string, args: readonly string[], input: Buffer | string = ''): Buffer {
	return execFileSync('git', args, {
		cwd: folder,
		input,
		maxBuffer: 2 ** 30,
		stdio: ['pipe', 'pipe', 'pipe'],
		env: gitEnvironment(folder),
	});
}

/** Without the machine's settings, and without a repository above `folder`. */
export function gitEnvironment(folder: string): NodeJS.ProcessEnv {
	return {
		...process.env,
		LC_ALL: 'C',
		GIT_CONFIG_GLOBAL: '/dev/null',
		GIT_CONFIG_SYSTEM: '/dev/null',
		GIT_CEILING_DIRECTORIES: folder,
	};
}

/** Creates a repository with a commit per tree, on the branch `main`. */
export function commitTrees(folder: string, trees: readonly MadeTree[]): void {
	gitIn(folder, ['init', '--quiet', '--bare', '--initial-branch=main', '.']);
	const parts = new Array<Buffer | string>();
	let before: MadeTree = new Map();
	for (const [index, tree] of trees.entries()) {
		const message = messageOf(index);
		parts.push(
			`commit refs/heads/main\nmark :${index + 1}\n`,
			`author Änne Author <author@forge.test> ${1_600_000_000 + index} +0200\n`,
			`committer Carl Committer <carl@forge.test> ${1_600_000_000 + index} +0000\n`,
			`data ${Buffer.byteLength(message)}\n${message}\n`,
			...changesOf(before, tree),
			'\n',
		);
		before = tree;
	}
	const input = Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
	gitIn(folder, ['fast-import', '--quiet'], input);
}

/** Prose that can confuse a mail reader, though not git. */
function messageOf(index: number): string {
	const body = [
		'Say what it does.',
		'  diff --git a/indented b/indented\n  --- a/indented',
		'-- \nA line like a signature, and --- three of them',
		'A long subject is folded by whoever writes the mail of it',
		'> diff --git a/quoted b/quoted\n> @@ -1 +1 @@',
		'Grüße aus der Nachricht\n\n    indented code\n',
		'@@ is not a hunk\ndiff: nor is this\nIndex of it',
	][index % 7];
	return `Change number ${index}${index % 5 === 0 ? ', with a subject that goes on and on: größer' : ''}\n\n${body}\n`;
}

function* changesOf(before: MadeTree, after: MadeTree): Generator<Buffer | string, undefined> {
	for (const path of before.keys()) {
		if (!after.has(path)) {
			yield `D ${quoted(path)}\n`;
		}
	}
	for (const [path, file] of after) {
		if (before.get(path) !== file) {
			yield* writingOf(path, file);
		}
	}
}

function* writingOf(path: string, { mode, content }: MadeFile): Generator<Buffer | string, undefined> {
	if (mode === '160000') {
		yield `M ${mode} ${content.toString()} ${quoted(path)}\n`;
		return;
	}
	yield `M ${mode} inline ${quoted(path)}\ndata ${content.length}\n`;
	yield content;
	yield '\n';
}

function quoted(path: string): string {
	const bytes = [...Buffer.from(path)].map((byte) =>
		byte < 32 || byte > 126 || byte === 0x22 || byte === 0x5c
			? `\\${byte.toString(8).padStart(3, '0')}`
			: String.fromCharCode(byte),
	);
	return `"${bytes.join('')}"`;
}

/** The mails of `git format-patch` for the commits after `from` up to `to`, counted from 0. */
export function patchMails(folder: string, from: number, to: number, options: readonly string[]): readonly Buffer[] {
	const newest = Number(gitIn(folder, ['rev-list', '--count', 'main']).toString()) - 1;
	const [settings, choices] = [
		options.filter((one) => one.startsWith('-c')),
		options.filter((one) => !one.startsWith('-c')),
	];
	const range = `main~${newest - from}..main~${newest - to}`;
	const mails = gitIn(folder, [
		...settings.flatMap((setting) => ['-c', setting.slice(2)]),
		'format-patch',
		'--stdout',
		...choices,
		range,
	]);
	const split = splitMails(mails);
	assert.equal(split.length, to - from, 'one mail for each commit');
	return split;
}

function splitMails(mails: Buffer): readonly Buffer[] {
	const starts = [...mails.toString('latin1').matchAll(/^From [0-9a-f]{40} Mon Sep 17 00:00:00 2001$/gm)];
	return starts.map(({ index }, at) => mails.subarray(index, starts[at + 1]?.index ?? mails.length));
}
