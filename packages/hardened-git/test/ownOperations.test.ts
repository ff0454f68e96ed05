import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { applySeries, goOn, stageSolved, takeBack, type ApplyOutcome } from '../src/applySeries.ts';
import type { ApplyStep } from '../src/applyObstacles.ts';
import { applyState } from '../src/applyState.ts';
import { GitFailure } from '../src/gitFailure.ts';
import { ownWorktrees } from '../src/ownWorktrees.ts';
import { importCommits } from '../../../test/support/importCommits.ts';
import { testMachine, type TestMachine } from '../../../test/support/localMachine.ts';
import { madeOnce } from '../../../test/support/madeOnce.ts';
import { begin, everythingOf, makeOther, ownOperations } from '../../../test/support/ownOperations.ts';
import { testInRest } from '../../../test/support/parts.ts';

const never = new AbortController().signal;
const steps: readonly ApplyStep[] = ['continue', 'skip', 'abort'];

/** A clone whose branch `main` conflicts with the first of two patches in `a`. */
const cloneAndSeries = madeOnce((machine) => {
	const root = join(machine.folder, 'clone');
	machine.plain(machine.folder, 'init', '-q', '-b', 'main', 'clone');
	importCommits(machine, root, [
		{ branch: 'main', message: 'Begin', files: { a: '1\n2\n3\n', b: 'one\n', v: 'v\n' } },
		{ branch: 'series', from: 'main', message: 'Change a', files: { a: '1\n2\nthree\n', v: 'w\n' } },
		{ branch: 'series', message: 'Add c', files: { c: 'new\n' } },
		{ branch: 'main', message: 'Otherwise', files: { a: '1\n2\nIII\n' } },
	]);
	machine.plain(root, 'reset', '-q', '--hard');
	makeOther(machine, root);
	return Buffer.from(machine.plain(root, 'format-patch', '--stdout', 'series~2..series').trimEnd());
});

suite('applying beside an operation of the user', function () {
	this.timeout(120_000);
	let machine: TestMachine;
	let root: string;
	let mailbox: Buffer;

	setup(() => {
		machine = testMachine();
		writeFileSync(join(machine.home, '.gitconfig'), '[user]\n\tname = Alice\n\temail = alice@forge.test\n');
		mailbox = cloneAndSeries(machine);
		root = join(machine.folder, 'clone');
	});
	teardown(() => machine.remove());

	const here = (folder = root): Promise<ApplyOutcome> =>
		applySeries(machine.git, { root: folder, mailbox, target: { kind: 'here' } }, never);
	/** A linked worktree on its own branch. */
	const linked = (): string => {
		const folder = join(machine.folder, 'linked');
		machine.plain(root, 'worktree', 'add', '-q', '-b', 'linked', folder, 'main');
		return folder;
	};

	for (const [at, [name, [operation, script]]] of Object.entries(ownOperations).entries()) {
		const testForm = at % 4 === 0 ? test : testInRest;
		testForm(`leaves a ${name} alone before the start`, async () => {
			const folder = at % 2 === 0 ? root : linked();
			for (const isStaged of [false, true]) {
				begin(machine, folder, script, isStaged);
				const before = everythingOf(machine, folder);
				const outcome = await here(folder);
				// Without a conflict that git remembers, only the staged files are left.
				const why = operation === 'conflicts' && isStaged ? 'dirty' : operation;
				assert.deepEqual(outcome, { kind: 'refused', why });
				for (const step of steps) {
					assert.equal(
						(await goOn(machine.git, folder, step, { conflicts: undefined, paths: ['b'] }, never)).kind,
						'refused',
					);
				}
				const head = machine.plain(folder, 'rev-parse', 'HEAD').trim();
				if (why !== 'dirty') {
					const span = { before: head, after: head };
					assert.deepEqual(await takeBack(machine.git, folder, span, never), { kind: 'refused', why });
				}
				assert.deepEqual(everythingOf(machine, folder), before);
				rmSync(join(machine.folder, 'clone'), { recursive: true });
				rmSync(join(machine.folder, 'linked'), { recursive: true, force: true });
				cloneAndSeries(machine);
				if (folder !== root) {
					linked();
				}
			}
		});
	}

	const beside = Object.entries(ownOperations).filter(
		([, [operation]]) => operation !== 'rebase' && operation !== 'am',
	);
	for (const [at, [name, [operation, script]]] of beside.entries()) {
		const testForm = at % 4 === 0 ? test : testInRest;
		testForm(`leaves a ${name} alone that the user begins during a stop`, async () => {
			const stopped = await here();
			assert.ok(stopped.kind === 'stopped');
			const own = { conflicts: stopped.state.conflicts, paths: ['a', 'v'] };
			machine.plain(root, 'reset', '-q', '--hard');
			begin(machine, root, script, false);
			const before = everythingOf(machine, root);
			for (const step of steps) {
				const outcome = await goOn(machine.git, root, step, own, never);
				assert.deepEqual(outcome.kind === 'refused' && [outcome.why, outcome.paths], [
					operation,
					operation === 'conflicts' ? ['b'] : undefined,
				]);
			}
			assert.equal((await stageSolved(machine.git, root, ['b'], own, never))?.why, operation);
			assert.deepEqual(everythingOf(machine, root), before);
			if (operation === 'conflicts') {
				machine.plain(root, 'add', 'b');
				const staged = everythingOf(machine, root);
				const continued = await goOn(machine.git, root, 'continue', own, never);
				assert.deepEqual(continued, { kind: 'refused', why: 'conflicts', paths: ['b'] });
				for (const step of ['skip', 'abort'] as const) {
					const outcome = await goOn(machine.git, root, step, own, never);
					const paths = outcome.kind === 'refused' && outcome.why === 'staged' ? outcome.paths : [];
					assert.ok(paths?.includes('b'), JSON.stringify(outcome));
				}
				assert.deepEqual(everythingOf(machine, root), staged);
			}
		});
	}

	test('leaves a later conflict alone in a file whose conflict was of the patch', async () => {
		const stopped = await here();
		assert.ok(stopped.kind === 'stopped');
		const own = { conflicts: stopped.state.conflicts, paths: ['a', 'v'] };
		begin(
			machine,
			root,
			'git reset -q --hard; echo mine >a; git stash -q; echo other >a; git commit -qam A; git stash pop -q',
			false,
		);
		for (const isStaged of [false, true]) {
			if (isStaged) {
				machine.plain(root, 'add', 'a');
			}
			const before = everythingOf(machine, root);
			for (const step of isStaged ? (['skip', 'abort'] as const) : steps) {
				const outcome = await goOn(machine.git, root, step, { ...own, paths: ['v'] }, never);
				assert.deepEqual(outcome, { kind: 'refused', why: isStaged ? 'staged' : 'conflicts', paths: ['a'] });
			}
			assert.deepEqual(everythingOf(machine, root), before);
		}
	});

	test('leaves the resolution of another operation alone after a stop without a conflict', async () => {
		const request = { root, mailbox, isMerging: false, target: { kind: 'here' } } as const;
		const stopped = await applySeries(machine.git, request, never);
		assert.ok(stopped.kind === 'stopped');
		assert.deepEqual(stopped.state.conflicts, []);
		// A file of the patch.
		machine.script(root, '{ echo mine >v; git stash -q; echo other >v; git commit -qam V; git stash pop -q; } || true');
		writeFileSync(join(root, 'v'), 'my resolution\n');
		machine.plain(root, 'add', 'v');
		const before = everythingOf(machine, root);
		for (const step of ['skip', 'abort'] as const) {
			const outcome = await goOn(machine.git, root, step, { conflicts: [], paths: ['a', 'v'] }, never);
			assert.deepEqual(outcome, { kind: 'refused', why: 'staged', paths: ['v'] });
		}
		assert.deepEqual(everythingOf(machine, root), before);
	});

	test('takes the paths of the patch for its conflicts if no window saw the stop', async () => {
		assert.equal((await here()).kind, 'stopped');
		const outcome = await goOn(machine.git, root, 'skip', { conflicts: undefined, paths: ['v'] }, never);
		assert.deepEqual(outcome, { kind: 'refused', why: 'conflicts', paths: ['a'] });
		assert.equal(
			(await goOn(machine.git, root, 'skip', { conflicts: undefined, paths: ['a', 'v'] }, never)).kind,
			'applied',
		);
	});

	test('ends a series that git could not begin because the user began something in between', async () => {
		const late: typeof machine.git = {
			...machine.git,
			run: async (...args) => {
				if (args[0].kind === 'start') {
					begin(machine, root, 'git merge -q other', false);
				}
				return await machine.git.run(...args);
			},
		};
		const outcome = await applySeries(late, { root, mailbox, target: { kind: 'here' } }, never);
		assert.deepEqual(outcome, { kind: 'refused', why: 'dirty' });
		assert.deepEqual(await applyState(machine.git, root, never), { kind: 'other', operation: 'merge' });
		assert.match(machine.plain(root, 'status', '--porcelain'), /^UU b$/m);
	});

	test('leaves an operation alone that the user began before a cancel', async () => {
		const given = new AbortController();
		let before: unknown;
		const late: typeof machine.git = {
			...machine.git,
			run: async (...args) => {
				const answer = await machine.git.run(...args);
				if (args[0].kind === 'start') {
					machine.plain(root, 'reset', '-q', '--hard');
					begin(machine, root, 'git merge -q other', false);
					before = everythingOf(machine, root);
					given.abort();
					given.signal.throwIfAborted();
				}
				return answer;
			},
		};
		const outcome = await applySeries(late, { root, mailbox, target: { kind: 'here' } }, given.signal);
		assert.deepEqual([outcome.kind, outcome.kind === 'notTakenBack' && outcome.state], ['notTakenBack', 'stopped']);
		assert.deepEqual(everythingOf(machine, root), before);
	});

	test('does not continue a patch that git has not read', async () => {
		const stopped = await here();
		assert.ok(stopped.kind === 'stopped');
		// Git leaves this when it is killed between two patches.
		rmSync(join(root, '.git/rebase-apply/final-commit'));
		machine.plain(root, 'reset', '-q', '--hard');
		const own = { conflicts: stopped.state.conflicts, paths: ['a', 'v'] };
		assert.deepEqual(await goOn(machine.git, root, 'continue', own, never), { kind: 'refused', why: 'notBegun' });
		assert.equal((await goOn(machine.git, root, 'abort', own, never)).kind, 'aborted');
	});

	test('takes an unreadable state for no free folder', async () => {
		writeFileSync(join(root, '.git/rebase-apply'), '');
		await assert.rejects(here(), GitFailure);
		rmSync(join(root, '.git/rebase-apply'));
		mkdirSync(join(root, '.git/rebase-apply'));
		assert.deepEqual(await here(), { kind: 'refused', why: 'rebase' });
		rmSync(join(root, '.git/rebase-apply'), { recursive: true });
		const deaf: typeof machine.git = {
			...machine.git,
			run: async (command, ...rest) =>
				command.kind === 'operationHeads'
					? Promise.reject(new GitFailure({ kind: 'tooSlow' }))
					: machine.git.run(command, ...rest),
		};
		await assert.rejects(applySeries(deaf, { root, mailbox, target: { kind: 'here' } }, never), GitFailure);
		// A broken head is a head.
		writeFileSync(join(root, '.git/MERGE_HEAD'), '');
		assert.deepEqual(await here(), { kind: 'refused', why: 'merge' });
	});

	test('applies in a new worktree beside an open merge, and keeps a worktree with one', async () => {
		begin(machine, root, 'git merge -q other', false);
		const before = everythingOf(machine, root);
		const commit = machine.plain(root, 'rev-parse', 'series~2').trim();
		const target = { kind: 'worktree', parent: machine.folder, name: 'new', branch: 'new', commit } as const;
		assert.equal((await applySeries(machine.git, { root, mailbox, target }, never)).kind, 'applied');
		assert.deepEqual(everythingOf(machine, root), before);
		const folder = join(machine.folder, 'new');
		machine.plain(folder, 'merge', '-q', '--no-commit', '-s', 'ours', 'other');
		const [own] = await ownWorktrees(machine.git, root, never);
		assert.equal(own?.hasChanges, true);
	});
});
