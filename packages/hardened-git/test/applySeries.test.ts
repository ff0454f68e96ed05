import assert from 'node:assert/strict';
import {
	appendFileSync,
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	rmSync,
	symlinkSync,
	utimesSync,
	writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { applySeries, stageSolved, type ApplyOutcome } from '../src/applySeries.ts';
import { applyState, branchIn, checkoutIn, type ApplyState } from '../src/applyState.ts';
import { GitFailure } from '../src/gitFailure.ts';
import { ownWorktrees, removeWorktree } from '../src/ownWorktrees.ts';
import { hardenedGit } from '../src/hardenedGit.ts';
import { applyHere, stepNow, stopNow } from '../../../test/support/applyHere.ts';
import { counts } from '../../../test/support/counts.ts';
import { addSettings } from '../../../test/support/gitSettings.ts';
import { importCommits } from '../../../test/support/importCommits.ts';
import { testMachine, type TestMachine } from '../../../test/support/localMachine.ts';
import { madeOnce } from '../../../test/support/madeOnce.ts';
import { testInBoth, testInRest } from '../../../test/support/parts.ts';

const never = new AbortController().signal;
/** No window saw the stop of these patches. */
const unseenStop = { conflicts: undefined, paths: ['a', 'b'] };
const lines = (change: (line: number) => string = String): string =>
	Array.from({ length: 20 }, (_, at) => `${change(at + 1)}\n`).join('');

/** A clone and a mailbox of three patches for it. */
const cloneAndSeries = madeOnce((machine) => {
	const root = join(machine.folder, 'clone');
	machine.plain(machine.folder, 'init', '-q', '-b', 'main', 'clone');
	const three = (line: number): string => (line === 3 ? 'three' : String(line));
	const fifteen = (line: number): string => (line === 15 ? 'fifteen' : three(line));
	importCommits(machine, root, [
		{ branch: 'main', message: 'Begin', files: { a: lines(), b: 'one\n' } },
		{ branch: 'series', from: 'main', message: 'Change three', files: { a: lines(three) } },
		{ branch: 'series', message: 'Change b', files: { b: 'two\n' } },
		{ branch: 'series', message: 'Change fifteen', files: { a: lines(fifteen) } },
	]);
	machine.plain(root, 'reset', '-q', '--hard');
	const mailbox = Buffer.from(machine.plain(root, 'format-patch', '--stdout', 'main..series').trimEnd());
	machine.plain(root, 'branch', '-q', '-D', 'series');
	return { base: machine.plain(root, 'rev-parse', 'HEAD').trim(), mailbox };
});

suite('applying a series in a clone', function () {
	this.timeout(60_000);
	let machine: TestMachine;
	let root: string;
	let base: string;
	let mailbox: Buffer;

	const git = (...args: readonly string[]): string => machine.plain(root, ...args).trimEnd();
	const put = (path: string, text: string, folder = root): void => writeFileSync(join(folder, path), text);
	const commit = (message: string): string => machine.commitAll(root, message);

	setup(() => {
		machine = testMachine();
		writeFileSync(join(machine.home, '.gitconfig'), '[user]\n\tname = Alice\n\temail = alice@forge.test\n');
		({ base, mailbox } = cloneAndSeries(machine));
		root = join(machine.folder, 'clone');
	});
	teardown(() => machine.remove());

	const worktree = (branch = 'review/change'): Promise<ApplyOutcome> =>
		applySeries(
			machine.git,
			{ root, mailbox, target: { kind: 'worktree', parent: machine.folder, name: 'applied', branch, commit: base } },
			never,
		);
	const here = (box: Uint8Array = mailbox, folder = root): Promise<ApplyOutcome> =>
		applyHere(machine.git, { root: folder, mailbox: box });
	const removed = async (folder: string, ignored: readonly string[] = []): Promise<string> =>
		(await removeWorktree(machine.git, { root, folder, ignored }, never)).kind;
	const subjects = (folder = root): readonly string[] => machine.plain(folder, 'log', '--format=%s').trim().split('\n');

	test('applies in a worktree with its own branch and leaves the clone’s HEAD and working tree alone', async () => {
		put('a', 'not committed\n');
		git('branch', 'review/change');
		const outcome = await worktree();
		const folder = join(machine.folder, 'applied');
		assert.equal(outcome.kind, 'applied');
		assert.deepEqual(subjects(folder), ['Change fifteen', 'Change b', 'Change three', 'Begin']);
		assert.equal(machine.plain(folder, 'symbolic-ref', 'HEAD').trim(), 'refs/heads/review/change-2');
		assert.equal(machine.plain(folder, 'status', '--porcelain'), '');
		assert.equal(readFileSync(join(folder, 'b'), 'utf8'), 'two\n');
		assert.equal(git('rev-parse', 'HEAD'), base);
		assert.equal(readFileSync(join(root, 'a'), 'utf8'), 'not committed\n');
		await assert.rejects(worktree(), (error) => error instanceof GitFailure && error.problem.kind === 'folderTaken');
	});

	test('applies to the current branch with a three-way merge where its lines have moved', async () => {
		put('a', `0\n0\n${lines((line) => (line === 5 ? 'five' : String(line)))}`);
		const before = commit('Move');
		const outcome = await here();
		assert.deepEqual(outcome, { kind: 'applied', folder: root, before, after: git('rev-parse', 'HEAD') });
		assert.deepEqual(subjects(), ['Change fifteen', 'Change b', 'Change three', 'Move', 'Begin']);
	});

	test('stops at a conflict, then continues, skips the patch or aborts', async () => {
		put(
			'a',
			lines((line) => (line === 3 ? 'III' : String(line))),
		);
		const before = commit('Otherwise');
		const manner = { isBare: false, isMerging: true, isBegun: true, beside: undefined };
		const checkouts = { left: { commit: before, branch: 'main' }, moved: undefined };
		const stopped = { kind: 'stopped', at: 1, of: 3, ...manner, ...checkouts, trace: '', solved: [], conflicts: ['a'] };
		const stateOf = (state: ApplyState): unknown =>
			state.kind === 'stopped'
				? { ...state, trace: '', conflicts: state.conflicts.map(({ path }) => path) }
				: state.kind;
		const told = async (work: Promise<ApplyOutcome>): Promise<unknown> => {
			const outcome = await work;
			return outcome.kind === 'stopped' ? stateOf(outcome.state) : outcome.kind;
		};
		assert.deepEqual(await told(here()), stopped);
		assert.deepEqual(stateOf(await applyState(machine.git, root, never)), stopped);
		assert.deepEqual(await here(), { kind: 'refused', why: 'am' });
		assert.deepEqual(await told(stepNow(machine.git, root, 'continue', unseenStop)), stopped);
		put(
			'a',
			lines((line) => (line === 3 ? 'solved' : String(line))),
		);
		git('add', 'a');
		assert.deepEqual(await told(stepNow(machine.git, root, 'continue', unseenStop)), 'applied');
		assert.deepEqual(subjects().slice(0, 3), ['Change fifteen', 'Change b', 'Change three']);

		git('reset', '-q', '--hard', before);
		await here();
		assert.deepEqual(await told(stepNow(machine.git, root, 'skip', unseenStop)), 'applied');
		assert.deepEqual(subjects().slice(0, 3), ['Change fifteen', 'Change b', 'Otherwise']);

		git('reset', '-q', '--hard', before);
		await here();
		assert.deepEqual(await told(stepNow(machine.git, root, 'abort', unseenStop)), 'aborted');
		assert.equal(git('rev-parse', 'HEAD'), before);
		assert.equal(git('status', '--porcelain'), '');
		assert.deepEqual(await stepNow(machine.git, root, 'abort', unseenStop), {
			kind: 'refused',
			why: 'nothingStopped',
		});
	});

	test('refuses staged changes, a subfolder, a foreign core.worktree and an untrusted workspace', async () => {
		put('b', 'staged\n');
		git('add', 'b');
		assert.deepEqual(await here(), { kind: 'refused', why: 'dirty' });
		assert.equal((await applyState(machine.git, root, never)).kind, 'none');
		assert.equal(git('diff', '--cached', '--name-only'), 'b');
		mkdirSync(join(root, 'sub'));
		const target = { kind: 'here', at: await checkoutIn(machine.git, root, never) } as const;
		const inSub = applySeries(machine.git, { root: join(root, 'sub'), mailbox, target }, never);
		assert.deepEqual(await inSub, { kind: 'refused', why: 'otherFolder' });
		const elsewhere = join(machine.folder, 'elsewhere');
		mkdirSync(elsewhere);
		git('config', 'core.worktree', elsewhere);
		assert.deepEqual(await here(), { kind: 'refused', why: 'otherFolder' });
		assert.deepEqual(readdirSync(elsewhere), []);
		const distrusting = hardenedGit({ ...machine.parts, isTrusted: () => false });
		await assert.rejects(
			applyHere(distrusting, { root, mailbox }),
			(error) => error instanceof GitFailure && error.problem.kind === 'notTrusted',
		);
	});

	test('commits staged files as they are after a conflict and names the target branch', async () => {
		put(
			'a',
			lines((line) => (line === 3 ? 'III' : String(line))),
		);
		const before = commit('Otherwise');
		const outcome = await here();
		assert.deepEqual(outcome.kind === 'stopped' && outcome.before, before);
		assert.equal(await branchIn(machine.git, root, never), 'main');
		put(
			'a',
			lines((line) => (line === 3 ? 'solved' : String(line))),
		);
		await stageSolved(machine.git, root, ['a'], await stopNow(machine.git, root, unseenStop), never);
		assert.equal((await stepNow(machine.git, root, 'continue', unseenStop)).kind, 'applied');
		assert.match(git('show', '--format=', 'HEAD~2'), /^\+solved$/m);
		git('checkout', '-q', '--detach');
		assert.equal(await branchIn(machine.git, root, never), undefined);
	});

	test('restores the clone when the user cancels midway', async () => {
		put(
			'a',
			lines((line) => (line === 15 ? 'XV' : String(line))),
		);
		const before = commit('Otherwise');
		const given = new AbortController();
		const giveUp = {
			...machine.git,
			run: async (...args: Parameters<typeof machine.git.run>) => {
				const answer = await machine.git.run(...args);
				// Git has committed two patches and stopped at the third.
				if (args[0].kind === 'start') {
					given.abort();
					given.signal.throwIfAborted();
				}
				return answer;
			},
		};
		await assert.rejects(applyHere(giveUp, { root, mailbox }, given.signal));
		assert.equal((await applyState(machine.git, root, never)).kind, 'none');
		assert.equal(git('rev-parse', 'HEAD'), before);
		const target = { kind: 'worktree', parent: machine.folder, name: 'x', branch: 'x', commit: before } as const;
		const again = new AbortController();
		const giveUpThere = {
			...giveUp,
			run: async (...args: Parameters<typeof machine.git.run>) => {
				const answer = await machine.git.run(...args);
				if (args[0].kind === 'start') {
					again.abort();
					again.signal.throwIfAborted();
				}
				return answer;
			},
		};
		await assert.rejects(applySeries(giveUpThere, { root, mailbox, target }, again.signal));
		assert.equal(existsSync(join(machine.folder, 'x')), false);
		assert.equal(git('branch', '--list', 'x'), '');
	});

	testInRest('reports the branch head when it cannot undo a cancelled apply', async () => {
		put(
			'a',
			lines((line) => (line === 15 ? 'XV' : String(line))),
		);
		const before = commit('Otherwise');
		const endedAfter = (work: () => void): [typeof machine.git, AbortSignal] => {
			const given = new AbortController();
			const run: typeof machine.git.run = async (...args) => {
				const answer = await machine.git.run(...args);
				if (args[0].kind === 'start') {
					work();
					given.abort();
					given.signal.throwIfAborted();
				}
				return answer;
			};
			return [{ ...machine.git, run }, given.signal];
		};
		// Git leaves this state when killed between a commit and the update of abort-safety.
		const [endedInBetween, signal] = endedAfter(() => put('.git/rebase-apply/abort-safety', `${before}\n`));
		const left = await applyHere(endedInBetween, { root, mailbox }, signal);
		const head = git('rev-parse', 'HEAD');
		assert.notEqual(head, before);
		assert.deepEqual(
			{ ...left, complaint: '' },
			{
				kind: 'notTakenBack',
				folder: root,
				before,
				head,
				// Git left the conflict.
				state: 'other',
				complaint: '',
			},
		);
		git('reset', '-q', '--hard', before);
		// Git leaves this lock when killed while it writes the index.
		const [endedForGood, other] = endedAfter(() => put('.git/index.lock', ''));
		const stopped = await applyHere(endedForGood, { root, mailbox }, other);
		assert.deepEqual([stopped.kind, stopped.kind === 'notTakenBack' && stopped.state], ['notTakenBack', 'stopped']);
		assert.equal((await applyState(machine.git, root, never)).kind, 'stopped');
	});

	test('reports success when the user cancels after git has finished', async () => {
		const given = new AbortController();
		const late = {
			...machine.git,
			run: async (...args: Parameters<typeof machine.git.run>) => {
				args[2].throwIfAborted();
				const answer = await machine.git.run(...args);
				if (args[0].kind === 'start') {
					given.abort();
				}
				return answer;
			},
		};
		const outcome = await applyHere(late, { root, mailbox }, given.signal);
		assert.deepEqual(outcome, { kind: 'applied', folder: root, before: base, after: git('rev-parse', 'HEAD') });
	});

	test('refuses to continue an apply that another tool began with other options', async () => {
		put(
			'a',
			lines((line) => (line === 3 ? 'III' : String(line))),
		);
		commit('Otherwise');
		assert.throws(() => machine.feed(root, mailbox, 'am', '-3', '--directory=sub'));
		assert.deepEqual(await applyState(machine.git, root, never), { kind: 'other', operation: 'am' });
		assert.deepEqual(await stepNow(machine.git, root, 'continue', unseenStop), { kind: 'refused', why: 'am' });
	});

	test('removes a worktree only if it is ours and has no uncommitted files', async () => {
		await worktree();
		const folder = join(machine.folder, 'applied');
		put('new', 'not committed\n', folder);
		assert.equal(await removed(folder), 'hasChanges');
		rmSync(join(folder, 'new'));
		assert.equal(await removed(folder), 'removed');
		assert.equal(existsSync(folder), false);
		assert.ok(git('branch', '--list', 'review/change').includes('review/change'));
		git('worktree', 'add', '-q', '-b', 'mine', folder);
		assert.equal(await removed(folder), 'notOurs');
		assert.equal(existsSync(folder), true);
		assert.equal(await removed(root), 'notOurs');
	});

	testInRest('keeps a worktree with files that the configuration hides and lists its ignored files', async () => {
		await worktree();
		const folder = join(machine.folder, 'applied');
		git('config', 'status.showUntrackedFiles', 'no');
		put('new', 'not committed\n', folder);
		const [own] = await ownWorktrees(machine.git, root, never);
		assert.deepEqual([own?.hasChanges, own?.ignored], [true, []]);
		assert.equal(await removed(folder), 'hasChanges');
		rmSync(join(folder, 'new'));
		writeFileSync(join(root, '.git/info/exclude'), 'kept\n*.o\n!! x\n');
		mkdirSync(join(folder, 'kept'));
		put('kept/one', 'x\n', folder);
		put('kept/two', 'x\n', folder);
		put('a \n b.o', 'x\n', folder);
		const [other] = await ownWorktrees(machine.git, root, never);
		assert.deepEqual([other?.hasChanges, other?.ignored], [false, ['a \n b.o', 'kept/']]);
		assert.equal(await removed(folder, ['kept/']), 'hasChanges');
		assert.ok(existsSync(join(folder, 'a \n b.o')));
		assert.equal(await removed(folder, ['kept/', 'a \n b.o']), 'removed');
	});

	testInRest('runs no filter of a submodule when it inspects or removes worktrees', async () => {
		await worktree();
		const folder = join(machine.folder, 'applied');
		const library = join(machine.folder, 'library');
		machine.plain(machine.folder, 'init', '-q', 'library');
		importCommits(machine, library, [
			{ branch: 'main', message: 'Begin', files: { a: 'one\n', '.gitattributes': 'a filter=x\n' } },
		]);
		const marked = join(machine.folder, 'marked');
		const addTo = (top: string): void => {
			machine.plain(top, '-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', '-b', 'main', library, 'sub');
			machine.commitAll(top, 'Add');
			machine.plain(join(top, 'sub'), 'config', 'filter.x.clean', `touch ${marked}; cat`);
			// Same size as before, so that git has to read the file.
			put('sub/a', 'two\n', top);
			utimesSync(join(top, 'sub/a'), 1e9, 1e9);
		};
		addTo(folder);
		const [own] = await ownWorktrees(machine.git, root, never);
		assert.deepEqual([own?.folder, own?.hasChanges], [folder, true]);
		assert.equal(await removed(folder), 'hasChanges');
		assert.ok(existsSync(join(folder, 'sub/a')));
		addTo(root);
		writeFileSync(join(root, '.git/forge-desk-worktree'), '');
		assert.equal((await ownWorktrees(machine.git, root, never)).length, 2);
		assert.equal(existsSync(marked), false);
		machine.plain(folder, 'status');
		assert.equal(existsSync(marked), true, 'git without care runs it');
	});

	testInRest('keeps a locked worktree and reports git’s complaint', async () => {
		await worktree();
		const folder = join(machine.folder, 'applied');
		git('worktree', 'lock', '--reason', 'on a stick', folder);
		const removal = await removeWorktree(machine.git, { root, folder, ignored: [] }, never);
		assert.match(removal.kind === 'refused' ? removal.complaint : '', /on a stick/);
		assert.ok(existsSync(folder));
	});

	test('leaves no folder behind when it cannot start', async () => {
		const target = { kind: 'worktree', parent: machine.folder, name: 'x', branch: 'x', commit: base } as const;
		put('b', 'two\n');
		const unknown = '0123456789'.repeat(4);
		await assert.rejects(applySeries(machine.git, { root, mailbox, target: { ...target, commit: unknown } }, never));
		const given = new AbortController();
		const giveUp = {
			...machine.git,
			run: async (...args: Parameters<typeof machine.git.run>) => {
				if (args[0].kind === 'fillWorktree') {
					given.abort();
				}
				return await machine.git.run(...args);
			},
		};
		await assert.rejects(applySeries(giveUp, { root, mailbox, target }, given.signal));
		for (const wrong of [
			{ branch: '--output=x' },
			{ branch: 'a..b' },
			{ name: '../x' },
			{ parent: 'relative' },
			{ commit: 'HEAD' },
		]) {
			const request = { root, mailbox, target: { ...target, ...wrong } };
			await assert.rejects(applySeries(machine.git, request, never), (error) => error instanceof GitFailure);
		}
		assert.equal(existsSync(join(machine.folder, 'x')), false);
		assert.equal(git('branch', '--format=%(refname:short)'), 'main');
		rmSync(join(root, '.git/worktrees'), { recursive: true, force: true });
		symlinkSync(machine.home, join(root, '.git/worktrees'));
		assert.deepEqual(await worktree(), { kind: 'refused', why: 'oddConfiguration' });
	});

	test('keeps a folder that another process created at the same moment', async () => {
		const folder = join(machine.folder, 'applied');
		const late: typeof machine.git = {
			...machine.git,
			run: async (...args) => {
				if (args[0].kind === 'addWorktree') {
					git('worktree', 'add', '-q', '-b', 'review/change', folder, base);
				}
				return await machine.git.run(...args);
			},
		};
		const parent = machine.folder;
		const target = { kind: 'worktree', parent, name: 'applied', branch: 'review/change', commit: base } as const;
		await assert.rejects(applySeries(late, { root, mailbox, target }, never), GitFailure);
		assert.ok(existsSync(folder));
		assert.equal(git('rev-parse', 'review/change'), base);
	});

	test('removes a fresh worktree when the user cancels', async () => {
		const given = new AbortController();
		const giveUp: typeof machine.git = {
			...machine.git,
			run: async (...args) => {
				const answer = await machine.git.run(...args);
				if (args[0].kind === 'addWorktree') {
					given.abort();
					given.signal.throwIfAborted();
				}
				return answer;
			},
		};
		const parent = machine.folder;
		const target = { kind: 'worktree', parent, name: 'applied', branch: 'review/change', commit: base } as const;
		await assert.rejects(applySeries(giveUp, { root, mailbox, target }, given.signal));
		assert.equal(existsSync(join(parent, 'applied')), false);
		assert.equal(git('branch', '--list', 'review/*'), '');
	});

	suite('in a clone that configures programs', () => {
		let marks: string;

		setup(() => {
			marks = join(machine.folder, 'marks');
			mkdirSync(marks);
			const program = (trap: string, then = 'cat'): string => {
				const path = join(machine.folder, `trap-${trap}`);
				writeFileSync(path, `#!/bin/sh\ntouch '${join(marks, trap)}'\n${then}\n`, { mode: 0o755 });
				return path;
			};
			put('.gitattributes', '* filter=evil merge=evil\nb filter=late\n');
			base = commit('Attributes');
			const hooks = join(root, '.git/hooks');
			mkdirSync(hooks, { recursive: true });
			for (const name of [
				'applypatch-msg',
				'pre-applypatch',
				'post-applypatch',
				'post-checkout',
				'post-index-change',
				'reference-transaction',
				'pre-auto-gc',
				'post-rewrite',
				'post-merge',
				'commit-msg',
				'pre-commit',
			]) {
				writeFileSync(join(hooks, name), `#!/bin/sh\ntouch '${join(marks, `hook-${name}`)}'\n`, { mode: 0o755 });
			}
			const late = join(machine.folder, 'late');
			addSettings(late, [['filter.late.smudge', program('late')]]);
			addSettings(join(root, '.git/config'), [
				['includeIf.onbranch:review/**.path', late],
				['core.fsmonitor', program('fsmonitor')],
				['core.editor', program('editor')],
				['filter.evil.clean', program('clean')],
				['filter.evil.smudge', program('smudge')],
				['filter.evil.required', 'true'],
				['merge.evil.driver', `${program('merge', 'exit 0')} %A`],
				['gpg.program', program('gpg', 'exit 1')],
				['am.keepcr', 'true'],
				['rerere.enabled', 'true'],
			]);
			readdirSync(marks).forEach((name) => rmSync(join(marks, name)));
		});

		const sprung = (): readonly string[] => {
			const names = readdirSync(marks).toSorted();
			names.forEach((name) => rmSync(join(marks, name)));
			return names;
		};

		test('plain git runs the programs', () => {
			const folder = join(machine.folder, 'careless');
			machine.try(root, 'worktree', 'add', '-b', 'review/x', folder);
			assert.deepEqual(
				['clean', 'late', 'smudge', 'hook-post-checkout', 'hook-reference-transaction'].filter((trap) =>
					existsSync(join(marks, trap)),
				),
				['late', 'smudge', 'hook-post-checkout', 'hook-reference-transaction'],
			);
			sprung();
			put(
				'a',
				lines((line) => (line === 3 ? 'III' : String(line))),
				folder,
			);
			machine.try(folder, 'commit', '-qam', 'Otherwise');
			sprung();
			const marked = join(machine.folder, 'mailbox');
			writeFileSync(marked, mailbox);
			machine.try(folder, 'am', '-3', '-S', marked);
			const traps = sprung();
			for (const trap of ['fsmonitor', 'clean', 'hook-applypatch-msg', 'hook-pre-applypatch', 'merge', 'gpg']) {
				assert.ok(traps.includes(trap), `${trap} of ${traps.join(' ')}`);
			}
		});

		test('runs no program in a worktree, on the branch, at a conflict or on abort', async () => {
			git('config', 'commit.gpgSign', 'true');
			const outcome = await worktree();
			assert.equal(outcome.kind, 'applied');
			assert.deepEqual(sprung(), []);
			const [own, ...others] = await ownWorktrees(machine.git, root, never);
			assert.deepEqual([own?.branch, own?.hasChanges, others.length], ['review/change', false, 0]);
			assert.deepEqual(sprung(), []);
			assert.equal(await removed(join(machine.folder, 'applied')), 'removed');
			assert.deepEqual(sprung(), []);
			put(
				'a',
				lines((line) => (line === 3 ? 'III' : String(line))),
			);
			git('config', 'commit.gpgSign', 'false');
			commit('Otherwise');
			git('config', 'commit.gpgSign', 'true');
			sprung();
			for (const step of ['skip', 'abort'] as const) {
				assert.equal((await here()).kind, 'stopped');
				await stageSolved(machine.git, root, ['a'], await stopNow(machine.git, root, unseenStop), never);
				assert.deepEqual(sprung(), []);
				assert.ok(['applied', 'aborted'].includes((await stepNow(machine.git, root, step, unseenStop)).kind));
				assert.deepEqual(sprung(), []);
			}
		});

		testInRest('signs nothing when it skips a patch, although the settings demand signed commits', async () => {
			addSettings(join(machine.home, '.gitconfig'), [
				['commit.gpgSign', 'true'],
				['user.signingKey', 'alice@forge.test'],
				['gpg.program', join(machine.folder, 'trap-gpg')],
			]);
			put(
				'a',
				lines((line) => (line === 3 ? 'III' : String(line))),
			);
			git('-c', 'commit.gpgSign=false', 'commit', '-qam', 'Otherwise');
			sprung();
			assert.equal((await here()).kind, 'stopped');
			assert.equal((await stepNow(machine.git, root, 'skip', unseenStop)).kind, 'applied');
			assert.deepEqual(sprung(), []);
			assert.deepEqual(subjects().slice(0, 3), ['Change fifteen', 'Change b', 'Otherwise']);
			assert.doesNotMatch(git('cat-file', 'commit', 'HEAD'), /^gpgsig/m);
		});

		testInRest('disables configured hooks by name in all commands that could run one', async () => {
			// Git before 2.54 ignores such hooks, so the test checks the arguments.
			const name = 'an evil.One';
			const events = ['reference-transaction', 'post-checkout', 'post-index-change', 'applypatch-msg'];
			addSettings(join(root, '.git/config'), [
				[`hook.${name}.command`, `touch '${join(marks, 'configured')}'`],
				...events.map((event) => [`hook.${name}.event`, event] as const),
			]);
			const harmless = /^(?:config|rev-parse|symbolic-ref|rev-list|ls-files|for-each-ref|list|cat-file|diff-index)$/;
			const seen = new Set<string>();
			const careless = new Set<string>();
			const watched: typeof machine.git = {
				...machine.git,
				run: async (...args) => {
					const told = args[0].arguments(machine.parts.devNull);
					const settings = told.flatMap((each, at) => (told[at - 1] === '-c' ? [each] : []));
					const [command = '', next = ''] = told.filter((each, at) => !each.startsWith('-') && told[at - 1] !== '-c');
					const asked = command === 'worktree' ? next : command;
					seen.add(asked);
					if (!harmless.test(asked) && !settings.includes(`hook.${name}.enabled=false`)) {
						careless.add(asked);
					}
					return await machine.git.run(...args);
				},
			};
			const parent = machine.folder;
			const target = { kind: 'worktree', parent, name: 'applied', branch: 'review/change', commit: base } as const;
			assert.equal((await applySeries(watched, { root, mailbox, target }, never)).kind, 'applied');
			await ownWorktrees(watched, root, never);
			await removeWorktree(watched, { root, folder: join(parent, 'applied'), ignored: [] }, never);
			put(
				'a',
				lines((line) => (line === 3 ? 'III' : String(line))),
			);
			git('add', 'a');
			const inBranch = (): Promise<ApplyOutcome> => applyHere(watched, { root, mailbox });
			assert.deepEqual(await inBranch(), { kind: 'refused', why: 'dirty' });
			git('config', 'merge.conflictStyle', 'diff3');
			const before = commit('Otherwise');
			for (const step of ['continue', 'skip', 'abort'] as const) {
				sprung();
				assert.equal((await inBranch()).kind, 'stopped');
				await stageSolved(watched, root, ['a'], await stopNow(watched, root, unseenStop), never);
				await stepNow(watched, root, step, unseenStop);
				assert.deepEqual(sprung(), []);
				machine.try(root, 'am', '--quit');
				git('reset', '-q', '--hard', before);
			}
			assert.deepEqual([...careless], []);
			for (const command of ['add', 'reset', 'am', 'status', 'remove']) {
				assert.ok(seen.has(command), `${command} of ${[...seen].join(' ')}`);
			}
		});

		for (const [what, section] of [
			['a filter name contains an equals sign', '[filter "a=b"]\n\tsmudge = false\n'],
			['a hook name contains an equals sign', '[hook "a=b"]\n\tevent = post-checkout\n\tcommand = false\n'],
			['a hook name is empty', '[hook ""]\n\tevent = post-checkout\n\tcommand = false\n'],
			['a hook name is not UTF-8', '[hook "\xff"]\n\tevent = post-checkout\n\tcommand = false\n'],
		] as const) {
			const testForm = what.startsWith('a filter') ? test : testInRest;
			testForm(`refuses the clone if ${what}`, async () => {
				appendFileSync(join(root, '.git/config'), section, 'latin1');
				assert.deepEqual(await here(), { kind: 'refused', why: 'oddConfiguration' });
				assert.deepEqual(await worktree(), { kind: 'refused', why: 'oddConfiguration' });
				assert.equal(existsSync(join(machine.folder, 'applied')), false);
				assert.equal(git('branch', '--list', 'review/*'), '');
				assert.deepEqual(sprung(), []);
			});
		}
	});

	testInBoth('writes nothing outside the worktree for any hostile path', async function () {
		this.timeout(600_000);
		const outside = join(machine.folder, 'outside');
		mkdirSync(outside);
		const folder = join(machine.folder, 'applied');
		await worktree();
		const before = everythingIn(machine.folder, folder);
		const paths = hostilePaths(outside);
		assert.ok(paths.length >= 300);
		const step = Math.ceil(paths.length / counts({ first: 4, small: 12, full: paths.length }));
		let tried = 0;
		for (const path of paths.filter((_, at) => at % step === 0)) {
			const outcome = await here(Buffer.from(hostileMails(path, outside)), folder);
			tried += 1;
			if (outcome.kind === 'stopped') {
				await stepNow(machine.git, folder, 'abort', unseenStop);
			}
			assert.deepEqual(everythingIn(machine.folder, folder), before, path);
			machine.plain(folder, 'reset', '-q', '--hard', 'review/change~0');
		}
		console.log(`      ${tried} paths of ${paths.length}`);
	});

	test('creates links and submodules as such and writes through none', async () => {
		const outside = join(machine.folder, 'outside');
		mkdirSync(outside);
		await worktree();
		const folder = join(machine.folder, 'applied');
		const before = everythingIn(machine.folder, folder);
		const id = 'a'.repeat(40);
		const module = `diff --git a/m b/m\nnew file mode 160000\nindex 0000000..${id}\n--- /dev/null\n+++ b/m\n@@ -0,0 +1 @@\n+Subproject commit ${id}\n`;
		const modules = `diff --git a/.gitmodules b/.gitmodules\nnew file mode 100644\n--- /dev/null\n+++ b/.gitmodules\n@@ -0,0 +1,3 @@\n+[submodule "m"]\n+\tpath = m\n+\turl = ext::touch ${outside}/x\n`;
		assert.equal((await here(Buffer.from(mail(link('l', outside)) + mail(module + modules)), folder)).kind, 'applied');
		const through = await here(Buffer.from(mail(newFile('l/x'))), folder);
		assert.equal(through.kind, 'stopped');
		assert.deepEqual(readdirSync(outside), []);
		assert.deepEqual(everythingIn(machine.folder, folder), before);
	});
});

function mail(diff: string): string {
	const head =
		'From nobody Mon Sep 17 00:00:00 2001\nFrom: Eve <eve@forge.test>\nDate: Thu, 1 Jan 2026 00:00:00 +0000\nSubject: [PATCH] Evil\n';
	return `${head}\n---\n\n${diff}-- \n2.39.5\n\n`;
}

function newFile(path: string): string {
	const name = (folder: string): string =>
		`"${folder}${path.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`;
	return `diff --git ${name('a/')} ${name('b/')}\nnew file mode 100755\n--- /dev/null\n+++ ${name('b/')}\n@@ -0,0 +1 @@\n+touch marked\n`;
}

function link(path: string, to: string): string {
	return `diff --git a/${path} b/${path}\nnew file mode 120000\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+${to}\n\\ No newline at end of file\n`;
}

/** A mail that writes to a path, preceded by a mail with a link if the path leads through one. */
function hostileMails(path: string, outside: string): string {
	return path.startsWith('link')
		? mail(link('link', path.startsWith('link/hooks') ? '../clone/.git' : outside)) + mail(newFile(path))
		: mail(newFile(path));
}

function hostilePaths(outside: string): readonly string[] {
	const folders = [
		'..',
		'../../..',
		'.',
		'a/..',
		'a/../..',
		'../..',
		'x/../../outside',
		'../clone',
		'../clone/.git',
		outside,
		'/',
		'//tmp',
		'.git',
		'.GIT',
		'.Git',
		'.git.',
		'.git ',
		'.git\u200c',
		'.g\u200dit',
		'\ufeff.git',
		'git~1',
		'GIT~2',
		'.git::$INDEX_ALLOCATION',
		'sub/.git',
		'sub/.GIT',
		'link',
		'link/..',
		'link/hooks',
		'~',
		'..\\outside',
		'C:',
		'C:\\outside',
		'\\\\host\\share',
		'.git\\hooks',
		'con',
		'nul',
		'aux.txt',
		'%2e%2e',
		'..%2foutside',
		'\u2025',
		'．．',
		'...',
		'.../..',
		'a\n/..',
		'../applied/../outside',
	];
	const names = ['x', 'hooks/pre-commit', 'config', '../x', 'index', 'HEAD', 'marked '];
	return folders.flatMap((folder) => names.map((name) => `${folder}/${name}`));
}

/** All files with contents below `top`, except the worktree and git’s own files for it. */
function everythingIn(top: string, but: string): readonly string[] {
	const own = /^clone\/\.git\/(?:worktrees|objects|logs|refs|packed-refs|gc\.pid)/;
	return readdirSync(top, { recursive: true, withFileTypes: true })
		.map((entry) => ({ entry, path: join(entry.parentPath, entry.name) }))
		.filter(({ path }) => path !== but && !path.startsWith(`${but}/`) && !own.test(relative(top, path)))
		.map(({ entry, path }) => `${relative(top, path)} ${entry.isFile() ? readFileSync(path, 'latin1') : ''}`)
		.toSorted();
}
