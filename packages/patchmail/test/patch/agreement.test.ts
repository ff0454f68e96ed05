import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { applyDiff } from '../../src/patch/applyDiff.ts';
import { binaryContent } from '../../src/patch/binaryContent.ts';
import { blobId } from '../../src/patch/blobId.ts';
import type { BinaryData, FileDiff } from '../../src/patch/fileDiff.ts';
import { parseDiff } from '../../src/patch/parseDiff.ts';
import { createRandom } from '../../../../test/support/random.ts';
import { counts, seed } from '../../../../test/support/counts.ts';
import type { MadeFile, MadeTree } from '../../../../test/support/madeTree.ts';
import { makeTrees } from '../../../../test/support/patchMaker.ts';
import { commitTrees, gitIn, patchMails } from '../../../../test/support/patchMakerGit.ts';

interface Way {
	readonly name: string;
	readonly options: readonly string[];
	/** Git applies the patches with -p0. */
	readonly isBare?: true;
	/** Every hunk without context counts as damage. */
	readonly hasNoContext?: true;
	/** Binary files have no data. */
	readonly hasNoBinary?: true;
}

/** Without `--function-context`: its hunks may overlap, and git does not apply those. */
const ways: readonly Way[] = [
	{ name: 'as usual', options: ['-M', '-C'] },
	{ name: 'without context', options: ['-U0'], hasNoContext: true },
	{ name: 'with much context', options: ['-U10', '--no-renames', '--inter-hunk-context=5'] },
	{ name: 'with names as they are', options: ['-ccore.quotePath=false', '-M', '-C', '--find-copies-harder'] },
	{ name: 'with other prefixes', options: ['--src-prefix=i/', '--dst-prefix=w/', '-M'] },
	{ name: 'without prefixes', options: ['--no-prefix', '--no-renames'], isBare: true },
	{ name: 'with rewrites broken up', options: ['-B10', '-M', '--patience'] },
	{ name: 'without binary data', options: ['--no-binary', '-M'], hasNoBinary: true },
	{ name: 'attached', options: ['--inline', '-M'] },
];

interface Made {
	readonly way: Way;
	readonly mail: string;
	readonly before: MadeTree;
	readonly after: MadeTree;
}

const patches = counts({ least: 90, small: 90, full: 1350 });
const folder = mkdtempSync(join(tmpdir(), 'forge-desk-patches-'));

/** Makes one history; each way formats its own part of it as mails. */
function makeAll(): readonly Made[] {
	const trees = makeTrees(patches, createRandom(seed()));
	const repository = join(folder, 'repository');
	mkdirSync(repository);
	commitTrees(repository, trees);
	const each = patches / ways.length;
	return ways.flatMap((way, index) => {
		const from = index * each;
		const mails = patchMails(repository, from, from + each, ['--full-index', ...way.options]);
		assert.equal(mails.length, each, way.name);
		return mails.map((mail, at) => ({
			way,
			mail: mail.toString(),
			before: trees[from + at]!,
			after: trees[from + at + 1]!,
		}));
	});
}

function rowOf({ content, added, removed, oldPath, newPath }: FileDiff): string {
	const counted = content.kind === 'binary' ? '-\t-' : `${added}\t${removed}`;
	return `${counted}\t${newPath ?? oldPath}`;
}

function contentAfter(text: string, file: FileDiff, before: MadeFile | undefined): Buffer {
	const content = before?.content ?? Buffer.alloc(0);
	if (file.content.kind === 'binary') {
		return bytesOf(text, file.content.forward, content);
	}
	if (file.content.kind === 'text' && file.content.hunks.length === 0) {
		return content;
	}
	const linked = before?.mode === '160000' ? `Subproject commit ${content.toString()}\n` : content.toString();
	const applied = applyDiff(linked, text, file);
	assert.equal(applied.kind, 'applied', rowOf(file));
	if (applied.kind !== 'applied') {
		throw new Error('unreachable');
	}
	assert.ok(applied.hunks.every(({ offset, fuzz }) => offset === 0 && fuzz === 0));
	return Buffer.from(applied.after);
}

function bytesOf(text: string, data: BinaryData | undefined, before: Buffer): Buffer {
	assert.ok(data);
	const made = binaryContent(text, data, before);
	assert.equal(made.kind, 'content');
	return Buffer.from(made.kind === 'content' ? made.content : []);
}

/** The tree after a mail, from the tree before. */
function treeAfter(made: Made): MadeTree {
	const { mail, before } = made;
	const tree = new Map(before);
	const read = parseDiff(mail).files.map((file) => ({ file, from: file.oldPath }));
	for (const { file, from } of read) {
		assert.deepEqual(file.damage, []);
		if (from !== undefined && (file.change === 'deleted' || file.change === 'renamed')) {
			tree.delete(from);
		}
	}
	for (const { file, from } of read) {
		assert.equal(from === undefined, file.change === 'added', rowOf(file));
		takeIn(made, tree, file, from);
	}
	return tree;
}

function takeIn({ mail, before, after }: Made, tree: Map<string, MadeFile>, file: FileDiff, from = ''): void {
	const old = before.get(from);
	const content = contentAfter(mail, file, old);
	if (file.newPath === undefined) {
		return;
	}
	const path = file.newPath;
	const mode = after.get(path)?.mode ?? '100644';
	assert.equal(file.newMode ?? old?.mode, mode, rowOf(file));
	const link = /^Subproject commit ([0-9a-f]{40})\n$/.exec(content.toString())?.[1];
	tree.set(path, { mode, content: mode === '160000' && link !== undefined ? Buffer.from(link) : content });
}

function comparable(tree: MadeTree): readonly (readonly [string, string, string])[] {
	return [...tree]
		.map(([path, { mode, content }]) => [path, mode, content.toString('base64')] as const)
		.sort(([one], [other]) => (one < other ? -1 : 1));
}

suite('patches of realistic text', function () {
	this.timeout(600_000);
	const made = new Array<Made>();

	suiteSetup(() => {
		made.push(...makeAll());
	});

	suiteTeardown(() => rmSync(folder, { recursive: true, force: true }));

	for (const way of ways) {
		test(`list the same files and numbers as git apply: ${way.name}`, () => {
			const mails = made.filter((one) => one.way === way).map(({ mail }) => mail);
			const rows = mails.flatMap((mail) => parseDiff(mail).files.map(rowOf));
			const options = way.isBare ? ['-p0'] : [];
			const told = gitIn(folder, ['apply', '--numstat', '-z', ...options, '-'], mails.join('\n'))
				.toString()
				.split('\0');
			assert.ok(mails.every((mail) => parseDiff(mail).isBare === (way.isBare ?? false)));
			assert.deepEqual(rows, told.slice(0, -1));
			assert.ok(rows.length > mails.length);
		});
	}

	test('turn each tree into the next one, byte for byte and without damage', () => {
		for (const each of made.filter(({ way }) => !way.hasNoBinary && !way.hasNoContext)) {
			assert.deepEqual(comparable(treeAfter(each)), comparable(each.after));
		}
	});

	test('count as damaged if a hunk has no context', () => {
		const mails = made.filter(({ way }) => way.hasNoContext);
		const kinds = mails.flatMap(({ mail }) => parseDiff(mail).files.flatMap(({ damage }) => damage));
		assert.deepEqual(new Set(kinds.map(({ kind }) => kind)), new Set(['noContext']));
	});

	test('revert binary files', () => {
		let count = 0;
		for (const { mail, before, after, way } of made) {
			for (const { content, oldPath, newPath } of parseDiff(mail).files) {
				if (content.kind === 'binary' && way.hasNoBinary === undefined) {
					const old = oldPath === undefined ? undefined : before.get(oldPath);
					const fresh = newPath === undefined ? undefined : after.get(newPath);
					const back = bytesOf(mail, content.reverse, fresh?.content ?? Buffer.alloc(0));
					assert.ok(back.equals(old?.content ?? Buffer.alloc(0)));
					count++;
				}
			}
		}
		assert.ok(count > patches / 12, String(count));
	});

	test('produce files with the object ids of git hash-object and of the patch', () => {
		const results = new Array<{ readonly path: string; readonly content: Buffer; readonly id: string }>();
		for (const { mail, after } of made) {
			for (const { newPath, newId, newMode } of parseDiff(mail).files) {
				const file = newPath === undefined ? undefined : after.get(newPath);
				if (file !== undefined && newId !== undefined && file.mode !== '160000' && newMode !== '160000') {
					const path = join(folder, `result-${results.length}`);
					results.push({ path, content: file.content, id: newId });
					writeFileSync(path, file.content);
				}
			}
		}
		const told = gitIn(
			folder,
			['hash-object', '--no-filters', '--stdin-paths'],
			results.map(({ path }) => `${path}\n`).join(''),
		);
		const ours = results.map(({ content }) => blobId(content));
		assert.deepEqual(ours, told.toString().trimEnd().split('\n'));
		assert.deepEqual(
			ours,
			results.map(({ id }) => id),
		);
		assert.ok(results.length > patches / 2);
	});
});
