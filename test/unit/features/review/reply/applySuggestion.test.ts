import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isAbort } from '@forge-desk/base/abort.ts';
import type { ReviewComment } from 'patchmail/review/reviewComment.ts';
import type { CommentThreads } from '../../../../../src/features/review/comments/commentThreads.ts';
import { eagerClock } from '../../../../support/eagerClock.ts';
import { fake } from '../../../../support/fake.ts';
import { fakeConnections } from '../../../../support/fakeConnection.ts';
import { fakeGit, fakeRepository } from '../../../../support/fakeGit.ts';
import { fakeLists, listConnection } from '../../../../support/fakeLists.ts';
import { listsParts } from '../../../../support/fakeListsParts.ts';
import { fakeMailer } from '../../../../support/fakeMailer.ts';
import { importCommits } from '../../../../support/importCommits.ts';
import { testMachine, type TestMachine } from '../../../../support/localMachine.ts';
import { madeOnce } from '../../../../support/madeOnce.ts';
import { makeList, makeMail, makePatchset } from '../../../../support/makeMail.ts';
import { resetStub, stubbed } from '../../../../support/vscodeValues.ts';

const { suggestionCommands } = await import('../../../../../src/features/review/reply/applySuggestion.ts');
const { fixUpLines } = await import('patchmail/review/fixUp.ts');

const never = new AbortController().signal;
const list = { owner: '~alice', name: 'devel' };
const lines = Array.from({ length: 9 }, (_, at) => `line ${at + 1}\n`);

/** A base, the commented commit, and one on top of it. */
const clone = madeOnce((machine) => {
	const root = join(machine.folder, 'quill');
	machine.plain(machine.folder, 'init', '-q', '-b', 'main', 'quill');
	const text = (third: string): string => lines.with(2, third).join('');
	importCommits(machine, root, [
		{ branch: 'main', message: 'Begin', files: { a: text('3\n') } },
		{ branch: 'main', message: 'Count [well]', files: { a: text('three\n') } },
		{ branch: 'main', message: 'Write b', files: { b: 'b\n' } },
	]);
	machine.plain(root, 'reset', '-q', '--hard');
	return {};
});

suite('committing a suggestion of a reply', function () {
	this.timeout(60_000);
	let machine: TestMachine;
	let root: string;
	const git = (...args: readonly string[]): string => machine.plain(root, ...args).trim();

	setup(() => {
		resetStub();
		machine = testMachine();
		clone(machine);
		root = join(realpathSync(machine.folder), 'quill');
		git('config', 'user.name', 'Alice');
		git('config', 'user.email', 'alice@forge.test');
	});
	teardown(() => machine.remove());

	const suggested = fixUpLines('a', {
		firstLine: 2,
		rows: [' line 2', '-three', '+3 of 9', ' line 4'],
	}).join('\n');

	async function run(prose: string, { isTrusted = true } = {}): Promise<void> {
		const repository = fakeRepository(root);
		repository.head = { ...repository.head, name: 'main', commit: git('rev-parse', 'HEAD') };
		const lists = fakeLists();
		const patch = machine.plain(root, 'format-patch', '--stdout', '-1', 'main~1');
		const mail = makeMail({
			id: 11,
			messageId: '<m11@forge.test>',
			isPatch: true,
			subject: '[PATCH quill] Count [well]',
			envelope: patch.slice(patch.indexOf('\n') + 1).replace('[PATCH]', '[PATCH quill]'),
		});
		lists.world.lists.push(makeList());
		lists.world.mails.push(mail);
		lists.world.series.set(7, [mail]);
		const patchset = makePatchset({ id: 7, subject: 'Count [well]', prefix: 'quill', messageId: '<m11@forge.test>' });
		lists.world.patchsets.set('~alice/devel', [patchset]);
		const connection = listConnection(lists.api);
		const parts = {
			...listsParts(fakeConnections(connection), eagerClock()),
			findGit: fakeGit(repository),
			git: machine.git,
			tempFolder: machine.folder,
			trust: { isTrusted: () => isTrusted, onDidGrant: () => ({ dispose: () => undefined }) },
			mailer: fakeMailer(),
			newName: () => 'fixup',
		};
		const of = { connectionKey: connection.key, ref: { list, id: 7 } };
		const place = { kind: 'message', mailId: 11, line: 1 } as const;
		const comment = fake<ReviewComment>({ prose, place });
		const threads = fake<CommentThreads>({ replyOf: () => ({ of, comment }) });
		await suggestionCommands(parts, threads)['forge.review.applySuggestion']?.({}, never, []);
	}

	test('makes one fixup of the commented commit, on top of the open branch', async () => {
		const before = git('rev-parse', 'HEAD');
		writeFileSync(join(root, 'untracked'), 'mine\n');
		stubbed.answers.push('Commit');
		await run(`Rather like this:\n\nSuggested change:\n\n${suggested}\n\nAlice`);
		assert.equal(stubbed.shown[0], 'Commit this suggestion as "fixup! Count [well]" on main?');
		assert.match(stubbed.details[0] ?? '', /^--- a\/a\n\+\+\+ b\/a\n@@ [^]*\n-three\n\+3 of 9\n/);
		assert.equal(git('log', '-1', '--format=%P %s <%ae>'), `${before} fixup! Count [well] <alice@forge.test>`);
		assert.equal(git('diff', '--numstat', 'HEAD~1', 'HEAD'), '1\t1\ta');
		assert.equal(git('status', '--porcelain'), '?? untracked');
		machine.plain(root, '-c', 'sequence.editor=true', 'rebase', '-q', '-i', '--autosquash', 'main~3');
		assert.deepEqual(git('log', '--format=%s').split('\n'), ['Write b', 'Count [well]', 'Begin']);
		assert.match(git('show', 'main~1:a'), /^3 of 9$/m);
	});

	const refused: readonly (readonly [what: string, prose: string, said: RegExp])[] = [
		['that is wrapped', suggested.replace('-three', '-\nthree'), /^$/],
		['whose lines the branch has not', suggested.replace('-three', '-four'), /does not apply/],
		['of a file outside', suggested.replaceAll('/a\n', '/../a\n'), /^$/],
		['without a diff', 'Better so.', /^$/],
	];
	for (const [what, prose, said] of refused) {
		test(`commits nothing for one ${what}`, async () => {
			const before = git('rev-parse', 'HEAD');
			await run(prose);
			assert.equal(git('rev-parse', 'HEAD'), before);
			assert.equal(git('status', '--porcelain'), '');
			assert.match(stubbed.shown.filter((text) => !text.startsWith('This comment')).join('\n'), said);
			assert.deepEqual(stubbed.details, []);
		});
	}

	test('commits nothing after a no, in an untrusted window, and on a branch without the commit', async () => {
		const before = git('rev-parse', 'HEAD');
		stubbed.answers.push(undefined);
		await assert.rejects(run(suggested), isAbort);
		await assert.rejects(run(suggested, { isTrusted: false }));
		assert.equal(git('rev-parse', 'HEAD'), before);
		git('checkout', '-q', '-b', 'other', 'main~2');
		await assert.rejects(run(suggested), isAbort);
		assert.equal(stubbed.shown.at(-1), 'No open branch has the commit "Count [well]". Check it out first.');
		assert.equal(git('rev-parse', 'HEAD'), git('rev-parse', 'main~2'));
	});
});
