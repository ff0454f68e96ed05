import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import type { OpenClone, OpenClones } from '../../../../../src/features/repositories/parts/openClones.ts';
import type { CommandId } from '../../../../../src/commands/table.ts';
import {
	fakeStore,
	idOf,
	makeCommit,
	quill,
	quillWorld,
	repositoryConnection,
	repositoryConnections,
	type FakeRepositories,
} from '../../../../support/fakeRepositories.ts';
import { standFor } from '../../../../support/standFor.ts';
import { resetFront, stubbedFront } from '../../../../support/stubbedFront.ts';
import { resetStub, stubbed } from '../../../../support/vscodeValues.ts';
import { fake as partial } from '../../../../support/fake.ts';

const { permalinkCommands } = await import('../../../../../src/features/repositories/links/permalinkCommands.ts');
const { linesOf, withSelectedLines } = await import('../../../../../src/features/repositories/links/fileInFront.ts');

const never = new AbortController().signal;
const web = 'https://git.forge.test/~alice/quill';
/** Target of `main` in the world. */
const tip = idOf(120);
const text = Array.from({ length: 30 }, (_, at) => `line ${at + 1}\n`).join('');

function uri(scheme: string, authority: string, path: string): vscode.Uri {
	return standFor<vscode.Uri>({ scheme, authority, path, toString: () => `${scheme}://${authority}${path}` });
}

const remote = (path = '/~alice/quill@main/README.md'): vscode.Uri => uri('forge', 'alice.sample', path);
const local = uri('file', '', '/code/src/long.txt');

/** Shows a document with this selection, in lines from 0. */
function show(at: vscode.Uri, content: string, [startLine, start, endLine, end]: readonly number[]): void {
	const isEmpty = startLine === endLine && start === end;
	const selection = { start: { line: startLine, character: start }, end: { line: endLine, character: end }, isEmpty };
	const document = { uri: at, encoding: 'utf8', getText: () => content };
	Object.assign(stubbedFront, { editor: { document, selection } });
}

interface Desk {
	readonly fake: FakeRepositories;
	readonly run: (command: CommandId, subject?: unknown) => Promise<void>;
}

/** `head`: the checked-out commit of the clone at `/code`, or `none` without a clone. */
function desk(head?: OpenClone['head'] | 'none'): Desk {
	const fake = quillWorld();
	const root = fake.world.grow({ src: { 'long.txt': text } });
	fake.world.logs.set('~alice/quill pushed', [makeCommit(120, { tree: root })]);
	fake.world.logs.set('~alice/quill main', [makeCommit(120, { tree: root })]);
	fake.world.roots.set(`~alice/quill ${tip}`, root);
	const connection = repositoryConnection(fakeStore(fake));
	const clones = partial<OpenClones>({
		at: async ({ path }) =>
			head === 'none'
				? undefined
				: {
						clone: partial<OpenClone>({ connectionKey: connection.key, ref: quill, head }),
						path: path.replace('/code/', ''),
					},
	});
	const table = permalinkCommands(repositoryConnections(connection), () => Promise.resolve(), clones);
	return { fake, run: async (command, subject) => table[command]?.(subject, never, []) };
}

suite('permalinks', () => {
	setup(resetStub);

	test('of a remote file name its commit and the selected lines', async () => {
		const { run } = desk();
		show(remote(), '', [9, 3, 19, 2]);
		await run('forge.repositories.copyPermalink');
		assert.deepEqual(stubbed.copied, [`${web}/tree/${tip}/item/README.md#L10-20`]);
		await run('forge.repositories.openPermalink', remote());
		assert.deepEqual(stubbed.opened, [`${web}/tree/${tip}/item/README.md#L10-20`]);
	});

	test('of a file opened by a full id need no request', async () => {
		const { run, fake } = desk();
		show(remote(`/~alice/quill@${idOf(7)}/README.md`), '', [4, 0, 4, 0]);
		await run('forge.repositories.copyPermalink');
		assert.deepEqual([stubbed.copied, fake.world.calls], [[`${web}/tree/${idOf(7)}/item/README.md#L5`], []]);
	});

	test('of a row, or of a file not in front, name no lines', async () => {
		const { run } = desk();
		show(remote('/~alice/quill@main/src/long.txt'), text, [1, 0, 1, 0]);
		await run('forge.repositories.copyPermalink', remote());
		const ref = { connectionKey: 'alice.sample', ref: quill };
		await run('forge.repositories.copyPermalink', { kind: 'folder', at: { ref: 'main', path: 'src' }, ...ref });
		await run('forge.repositories.copyPermalink', { kind: 'reference', revision: 'main', ...ref });
		assert.deepEqual(stubbed.copied, [
			`${web}/tree/${tip}/item/README.md`,
			`${web}/tree/${tip}/item/src`,
			`${web}/tree/${tip}`,
		]);
	});

	test('of a clone name the checked-out commit if the forge has it', async () => {
		const { run } = desk({ name: 'main', commit: tip });
		show(local, text.replaceAll('\n', '\r\n'), [9, 0, 20, 0]);
		await run('forge.repositories.copyPermalink', local);
		assert.deepEqual(stubbed.copied, [`${web}/tree/${tip}/item/src/long.txt#L10-20`]);
		assert.deepEqual(stubbed.shown, ['Copied']);
	});

	test('warn when the lines differ on the disk', async () => {
		const { run } = desk({ name: 'main', commit: tip });
		show(local, `new\n${text}`, [9, 0, 9, 0]);
		await run('forge.repositories.copyPermalink', local);
		assert.deepEqual(stubbed.copied, [`${web}/tree/${tip}/item/src/long.txt#L10`]);
		assert.match(stubbed.shown.join(), /local changes: these lines are different/);
		// Changes below the lines do not matter.
		resetStub();
		show(local, `${text}new\n`, [9, 0, 9, 0]);
		await run('forge.repositories.copyPermalink', local);
		assert.deepEqual(stubbed.shown, ['Copied']);
	});

	test('are not available for an unpushed commit; the notice offers the branch', async () => {
		const { run } = desk({ name: 'topic', commit: 'a'.repeat(40), upstream: { remote: 'origin', name: 'feature/x' } });
		show(local, text, [0, 0, 0, 0]);
		await run('forge.repositories.copyPermalink', local);
		assert.deepEqual(stubbed.copied, []);
		assert.match(stubbed.shown.join(), /does not have commit aaaaaaa of this clone.*on the branch feature\/x/);
		stubbed.answers.push('Copy URL on the Branch');
		await run('forge.repositories.copyPermalink', local);
		await new Promise(setImmediate);
		assert.deepEqual(stubbed.copied, [`${web}/tree/feature/x/item/src/long.txt#L1`]);
	});

	test('offer HEAD for an unpushed commit when the default branch is unknown', async () => {
		const { run, fake } = desk({ name: 'topic', commit: 'a'.repeat(40) });
		fake.world.heads.clear();
		show(local, text, [0, 0, 0, 0]);
		stubbed.answers.push('Copy URL on the Branch');
		await run('forge.repositories.copyPermalink', local);
		await new Promise(setImmediate);
		assert.match(stubbed.shown.join(), /on the branch HEAD,/);
		assert.deepEqual(stubbed.copied, [`${web}/tree/HEAD/item/src/long.txt#L1`]);
	});

	test('reject a response with another commit', async () => {
		const { run, fake } = desk({ name: 'main', commit: 'a'.repeat(40) });
		fake.world.logs.set(`~alice/quill ${'a'.repeat(40)}`, [makeCommit(120)]);
		show(local, text, [0, 0, 0, 0]);
		await run('forge.repositories.copyPermalink', local);
		assert.deepEqual(stubbed.copied, []);
	});

	test('are not available for a file missing in the commit', async () => {
		const { run } = desk({ name: 'main', commit: tip });
		const added = uri('file', '', '/code/src/new.txt');
		show(added, text, [0, 0, 0, 0]);
		await run('forge.repositories.copyPermalink', added);
		assert.deepEqual(stubbed.copied, []);
		assert.match(stubbed.shown.join(), /has no file new\.txt/);
		// A folder of the commit is a file here.
		await run('forge.repositories.copyPermalink', uri('file', '', '/code/src'));
		assert.deepEqual(stubbed.copied, []);
	});

	test('need a clone, a commit and a file in front', async () => {
		show(local, text, [0, 0, 0, 0]);
		await desk('none').run('forge.repositories.copyPermalink', local);
		await desk({ name: 'main' }).run('forge.repositories.copyPermalink', local);
		resetFront();
		await desk().run('forge.repositories.openPermalink');
		assert.deepEqual(
			stubbed.shown.map((each) => each.split(/[.,]/)[0]),
			[
				'This file is not in a clone of a repository on a forge that you are signed in to',
				'This clone has no commit yet',
				'Open a file of a repository first',
			],
		);
		assert.deepEqual([stubbed.copied, stubbed.opened], [[], []]);
	});

	test('share the selected lines of the document in front, but no caret and no other document', () => {
		show(remote(), text, [4, 2, 6, 1]);
		const place = { connectionKey: 'alice.sample', ref: quill, at: { ref: 'main', path: 'README.md' } };
		assert.deepEqual(withSelectedLines(remote()), { kind: 'file', ...place, lines: { first: 5, last: 7 } });
		for (const other of [remote('/~alice/quill@main/a.c'), local, undefined, 'x', { kind: 'file', ...place }]) {
			assert.equal(withSelectedLines(other), other);
		}
		show(remote(), text, [4, 2, 4, 2]);
		const same = remote();
		assert.equal(withSelectedLines(same), same);
	});

	test('contain the lines that look selected', () => {
		const lines = (...[startLine = 0, start = 0, endLine = 0, end = 0]: readonly number[]): unknown =>
			linesOf(
				standFor<vscode.Selection>({
					start: { line: startLine, character: start },
					end: { line: endLine, character: end },
				}),
			);
		assert.deepEqual(lines(4, 2, 4, 2), { first: 5, last: 5 });
		assert.deepEqual(lines(4, 0, 5, 0), { first: 5, last: 5 });
		assert.deepEqual(lines(4, 2, 6, 1), { first: 5, last: 7 });
	});
});
