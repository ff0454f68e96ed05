import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { applySeries, goOn, stageSolved, takeBack, type ApplyOutcome } from '../src/applySeries.ts';
import type { ApplyStep } from '../src/applyObstacles.ts';
import { applyState, checkoutIn, type Checkout } from '../src/applyState.ts';
import { GitFailure } from '../src/gitFailure.ts';
import { ownWorktrees } from '../src/ownWorktrees.ts';
import { applyHere, stepNow, stopNow } from '../../../test/support/applyHere.ts';
import { importCommits } from '../../../test/support/importCommits.ts';
import { testMachine, type TestMachine } from '../../../test/support/localMachine.ts';
import { madeOnce } from '../../../test/support/madeOnce.ts';
import { begin, everythingOf, makeOther, moves, ownOperations } from '../../../test/support/ownOperations.ts';
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

	const here = (folder = root): Promise<ApplyOutcome> => applyHere(machine.git, { root: folder, mailbox });
	/** A linked worktree on its own branch. */
	const linked = (): string => {
		const folder = join(machine.folder, 'linked');
		machine.plain(root, 'worktree', 'add', '-q', '-b', 'linked', folder, 'main');
		return folder;
	};

	test('recognizes every operation of the user, before and after its conflict is staged', async () => {
		const found: Record<string, readonly string[]> = {};
		for (const [name, [, script]] of Object.entries(ownOperations)) {
			const told: string[] = [];
			begin(machine, root, script, false);
			for (const isStaged of [false, true]) {
				if (isStaged) {
					machine.plain(root, 'add', 'b');
				}
				const state = await applyState(machine.git, root, never);
				told.push(state.kind === 'other' ? state.operation : state.kind);
			}
			found[name] = told;
			rmSync(root, { recursive: true });
			cloneAndSeries(machine);
		}
		// Only staged files are left of some.
		const wanted = Object.entries(ownOperations).map(([name, [operation]]) => [
			name,
			[operation, operation === 'conflicts' ? 'none' : operation],
		]);
		assert.deepEqual(found, Object.fromEntries(wanted));
	});

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
				const own = await stopNow(machine.git, folder, { conflicts: undefined, paths: ['b'] });
				for (const step of steps) {
					assert.equal((await goOn(machine.git, folder, step, own, never)).kind, 'refused');
				}
				const after = await checkoutIn(machine.git, folder, never);
				if (why !== 'dirty') {
					const span = { before: after.commit, after };
					assert.deepEqual(await takeBack(machine.git, folder, span, never), { kind: 'refused', why });
				}
				assert.deepEqual(everythingOf(machine, folder), before);
				if (!isStaged) {
					rmSync(join(machine.folder, 'clone'), { recursive: true });
					rmSync(join(machine.folder, 'linked'), { recursive: true, force: true });
					cloneAndSeries(machine);
					if (folder !== root) {
						linked();
					}
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
			const own = { state: stopped.state, conflicts: stopped.state.conflicts, paths: ['a', 'v'] };
			machine.plain(root, 'reset', '-q', '--hard');
			begin(machine, root, script, false);
			const before = everythingOf(machine, root);
			// The other branch comes before its conflicts.
			const why = name === 'checkout -m' ? 'moved' : operation;
			for (const step of steps) {
				const outcome = await goOn(machine.git, root, step, own, never);
				assert.deepEqual(outcome.kind === 'refused' && [outcome.why, outcome.paths], [
					why,
					why === 'conflicts' ? ['b'] : undefined,
				]);
			}
			assert.equal((await stageSolved(machine.git, root, ['b'], own, never))?.why, why);
			assert.deepEqual(everythingOf(machine, root), before);
			if (why === 'conflicts') {
				machine.plain(root, 'add', 'b');
				const staged = everythingOf(machine, root);
				const continued = await stepNow(machine.git, root, 'continue', own);
				assert.deepEqual(continued, { kind: 'refused', why: 'conflicts', paths: ['b'] });
				for (const step of ['skip', 'abort'] as const) {
					const outcome = await stepNow(machine.git, root, step, own);
					const paths = outcome.kind === 'refused' && outcome.why === 'staged' ? outcome.paths : [];
					assert.ok(paths?.includes('b'), JSON.stringify(outcome));
				}
				assert.deepEqual(everythingOf(machine, root), staged);
			}
		});
	}

	test('leaves a later conflict alone in a file whose conflict was of the patch', async () => {
		machine.script(root, 'git checkout -q series~2; echo mine >a; git stash -q; git checkout -q main');
		const stopped = await here();
		assert.ok(stopped.kind === 'stopped');
		const own = { conflicts: stopped.state.conflicts, paths: ['a', 'v'] };
		begin(machine, root, 'git reset -q --hard; git stash pop -q', false);
		for (const isStaged of [false, true]) {
			if (isStaged) {
				machine.plain(root, 'add', 'a');
			}
			const before = everythingOf(machine, root);
			for (const step of isStaged ? (['skip', 'abort'] as const) : steps) {
				const outcome = await stepNow(machine.git, root, step, { ...own, paths: ['v'] });
				assert.deepEqual(outcome, { kind: 'refused', why: isStaged ? 'staged' : 'conflicts', paths: ['a'] });
			}
			assert.deepEqual(everythingOf(machine, root), before);
		}
	});

	test('leaves the resolution of another operation alone after a stop without a conflict', async () => {
		machine.script(root, 'git checkout -q series~1; echo mine >v; git stash -q; git checkout -q main');
		const stopped = await applyHere(machine.git, { root, mailbox, isMerging: false });
		assert.ok(stopped.kind === 'stopped');
		assert.deepEqual(stopped.state.conflicts, []);
		// A file of the patch.
		machine.script(root, 'git stash pop -q || true');
		writeFileSync(join(root, 'v'), 'my resolution\n');
		machine.plain(root, 'add', 'v');
		const before = everythingOf(machine, root);
		for (const step of ['skip', 'abort'] as const) {
			const outcome = await stepNow(machine.git, root, step, { conflicts: [], paths: ['a', 'v'] });
			assert.deepEqual(outcome, { kind: 'refused', why: 'staged', paths: ['v'] });
		}
		assert.deepEqual(everythingOf(machine, root), before);
	});

	test('takes the paths of the patch for its conflicts if no window saw the stop', async () => {
		assert.equal((await here()).kind, 'stopped');
		const outcome = await stepNow(machine.git, root, 'skip', { conflicts: undefined, paths: ['v'] });
		assert.deepEqual(outcome, { kind: 'refused', why: 'conflicts', paths: ['a'] });
		assert.equal(
			(await stepNow(machine.git, root, 'skip', { conflicts: undefined, paths: ['a', 'v'] })).kind,
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
		const outcome = await applyHere(late, { root, mailbox });
		assert.deepEqual(outcome, { kind: 'refused', why: 'dirty' });
		assert.deepEqual(await applyState(machine.git, root, never), { kind: 'other', operation: 'merge' });
		assert.match(machine.plain(root, 'status', '--porcelain'), /^UU b$/m);
	});

	/** After git's start, the user does something and cancels. */
	function cancelledAtStart(given: AbortController, atStart: () => void): typeof machine.git {
		return {
			...machine.git,
			run: async (...args) => {
				const answer = await machine.git.run(...args);
				if (args[0].kind === 'start') {
					atStart();
					given.abort();
					given.signal.throwIfAborted();
				}
				return answer;
			},
		};
	}

	test('leaves an operation alone that the user began before a cancel', async () => {
		const given = new AbortController();
		let before: unknown;
		const late = cancelledAtStart(given, () => {
			machine.plain(root, 'reset', '-q', '--hard');
			begin(machine, root, 'git merge -q other', false);
			before = everythingOf(machine, root);
		});
		const outcome = await applyHere(late, { root, mailbox }, given.signal);
		assert.deepEqual([outcome.kind, outcome.kind === 'notTakenBack' && outcome.state], ['notTakenBack', 'stopped']);
		assert.deepEqual(everythingOf(machine, root), before);
	});

	for (const form of [test, testInRest]) {
		form(
			`touches nothing after a move during a stop, and ends the series${form === test ? '' : ' of each'}`,
			async () => {
				const stopped = await here();
				assert.ok(stopped.kind === 'stopped');
				const own = { conflicts: stopped.state.conflicts, paths: ['a', 'v'] };
				for (const [at, [name, [move, back]]] of Object.entries(moves).entries()) {
					machine.script(root, move);
					const before = everythingOf(machine, root);
					for (const step of form === test ? [steps[at % 3] ?? 'abort'] : steps) {
						const outcome = await stepNow(machine.git, root, step, own);
						assert.ok(outcome.kind === 'refused' && outcome.why === 'moved', `${name}: ${JSON.stringify(outcome)}`);
						const left: Checkout = { commit: stopped.before, branch: 'main' };
						assert.deepEqual(outcome.checkouts, [left, await checkoutIn(machine.git, root, never)]);
					}
					assert.deepEqual(everythingOf(machine, root), before, name);
					machine.script(root, back);
				}
				machine.script(root, 'git checkout -qf -b new; echo mine >b');
				const state = (): string =>
					machine.script(root, 'git rev-parse HEAD main new; git status --porcelain; cat a b');
				const before = state();
				assert.equal((await stepNow(machine.git, root, 'quit', own)).kind, 'aborted');
				assert.equal(state(), before);
				assert.equal((await applyState(machine.git, root, never)).kind, 'none');
			},
		);
	}

	test('touches nothing if git went on with the series since the user looked', async () => {
		const stopped = await here();
		assert.ok(stopped.kind === 'stopped');
		const own = { conflicts: stopped.state.conflicts, paths: ['a', 'v'], state: stopped.state };
		// The second series is the same, and stops at the same patch.
		machine.script(root, 'git am --abort');
		await here();
		const before = everythingOf(machine, root);
		for (const step of [...steps, 'quit'] as const) {
			assert.deepEqual(await goOn(machine.git, root, step, own, never), { kind: 'refused', why: 'wentOn' });
		}
		assert.equal((await stageSolved(machine.git, root, ['a'], own, never))?.why, 'wentOn');
		assert.deepEqual(everythingOf(machine, root), before);
		machine.script(root, 'git am --skip >/dev/null');
		assert.deepEqual(await goOn(machine.git, root, 'abort', own, never), { kind: 'refused', why: 'nothingStopped' });
	});

	test('begins on no other checkout than the chosen one, and takes no other branch back', async () => {
		const at = await checkoutIn(machine.git, root, never);
		machine.script(root, 'git checkout -q -b new');
		const now = { ...at, branch: 'new' };
		const before = everythingOf(machine, root);
		const refused = { kind: 'refused', why: 'moved', checkouts: [at, now] };
		const request = { root, mailbox, target: { kind: 'here', at } } as const;
		assert.deepEqual(await applySeries(machine.git, request, never), refused);
		assert.deepEqual(await takeBack(machine.git, root, { before: at.commit, after: at }, never), refused);
		assert.deepEqual(everythingOf(machine, root), before);
		const deaf: typeof machine.git = {
			...machine.git,
			run: async (command, ...rest) =>
				command.kind === 'branch'
					? Promise.reject(new GitFailure({ kind: 'tooSlow' }))
					: machine.git.run(command, ...rest),
		};
		await assert.rejects(applySeries(deaf, request, never), GitFailure);
	});

	test('rolls nothing back after a cancel if another branch is checked out', async () => {
		// The second patch conflicts, too, so the first one is committed.
		machine.script(root, 'git checkout -qf -B main series~2; echo c >c; git add c; git commit -qm C');
		const told = 'git for-each-ref; git symbolic-ref HEAD; git status --porcelain; cat a';
		const given = new AbortController();
		let before: unknown;
		const late = cancelledAtStart(given, () => {
			before = machine.script(root, `git checkout -qf -b new; ${told}`);
		});
		assert.equal((await applyHere(late, { root, mailbox }, given.signal)).kind, 'notTakenBack');
		assert.equal(machine.script(root, told), before);
		assert.equal((await applyState(machine.git, root, never)).kind, 'none');
	});

	test('does not continue a patch that git has not read', async () => {
		const stopped = await here();
		assert.ok(stopped.kind === 'stopped');
		// Git leaves this when it is killed between two patches.
		rmSync(join(root, '.git/rebase-apply/final-commit'));
		machine.plain(root, 'reset', '-q', '--hard');
		const own = { conflicts: stopped.state.conflicts, paths: ['a', 'v'] };
		assert.deepEqual(await stepNow(machine.git, root, 'continue', own), { kind: 'refused', why: 'notBegun' });
		assert.equal((await stepNow(machine.git, root, 'abort', own)).kind, 'aborted');
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
				command.kind === 'heads'
					? Promise.reject(new GitFailure({ kind: 'tooSlow' }))
					: machine.git.run(command, ...rest),
		};
		await assert.rejects(applyHere(deaf, { root, mailbox }), GitFailure);
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
