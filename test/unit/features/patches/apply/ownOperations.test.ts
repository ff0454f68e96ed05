import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isAbort } from '@forge-desk/base/abort.ts';
import { GitFailure } from 'hardened-git/gitFailure.ts';
import {
	appliedWorld,
	eachInAppliedWorld,
	numbered,
	type AppliedWindow,
	type AppliedWorld,
} from '../support/appliedWorld.ts';
import { counts, seed } from '../../../../support/counts.ts';
import { begin, everythingOf, makeOther, moves, ownOperations } from '../../../../support/ownOperations.ts';
import { testInBoth } from '../../../../support/parts.ts';
import { keepProofTable } from '../../../../support/proofTable.ts';
import { createRandom } from '../../../../support/random.ts';
import { resetStub, stubbed, window as vscodeWindow } from '../../../../support/vscodeValues.ts';

const steps = ['forge.apply.continue', 'forge.apply.skip', 'forge.apply.abort'] as const;

/** Answers yes to each modal question, after `work`. */
function answerYes(work: () => void = () => undefined): void {
	const yes =
		(show: (message: string, ...rest: readonly unknown[]) => Promise<string | undefined>) =>
		async (message: string, ...rest: readonly unknown[]): Promise<string | undefined> => {
			const [options, action] = rest;
			await show(message, ...rest);
			if (typeof options !== 'object' || typeof action !== 'string') {
				return undefined;
			}
			work();
			return action;
		};
	Object.assign(vscodeWindow, {
		showInformationMessage: yes(async (...told) => asked.showInformationMessage(...told)),
		showWarningMessage: yes(async (...told) => asked.showWarningMessage(...told)),
	});
}

const asked = { ...vscodeWindow };

suite('Apply and its steps', function () {
	this.timeout(3_600_000);
	let world: AppliedWorld;
	let window: AppliedWindow;

	eachInAppliedWorld((made) => ({ world, window } = made));
	setup(() => answerYes());
	teardown(() => void Object.assign(vscodeWindow, asked));

	const run = (...[command, ...more]: Parameters<AppliedWindow['run']>): Promise<void> =>
		window.run(command, ...more).catch((error: unknown) => {
			if (!isAbort(error)) {
				throw error;
			}
		});

	test('leave an open merge alone, and name it', async () => {
		makeOther(world, world.root);
		begin(world, world.root, 'git merge -q other', false);
		world.fake.head = { name: 'main', commit: world.inClone('rev-parse', 'HEAD') };
		const before = everythingOf(world, world.root);
		stubbed.answers.push('Current Branch main');
		await run('forge.patchsets.apply', world.subject);
		assert.equal(stubbed.shown.at(-1), 'A git merge is in progress there. Finish it in a terminal, then try again.');
		for (const step of steps) {
			await run(step);
			assert.equal(stubbed.shown.at(-1), 'No patchset is being applied.');
		}
		assert.deepEqual(everythingOf(world, world.root), before);
	});

	test('leave an operation alone that begins during a stop, and name its files', async () => {
		world.commit(
			'a',
			numbered((line) => (line === 3 ? 'III' : String(line))),
			'Otherwise',
		);
		world.script(world.root, 'echo mine >b; git stash -q; echo other >b; git commit -qam B');
		world.fake.head = { name: 'main', commit: world.inClone('rev-parse', 'HEAD') };
		stubbed.answers.push('Current Branch main');
		await run('forge.patchsets.apply', world.subject);
		world.script(world.root, 'git reset -q --hard; git stash pop -q || true');
		writeFileSync(join(world.root, 'b'), 'my resolution\n');
		const before = everythingOf(world, world.root);
		for (const step of steps) {
			await run(step);
			assert.equal(
				stubbed.shown.at(-1),
				'These conflicts are not of the patch: b. Resolve them and commit or unstage the files, then try again.',
			);
		}
		assert.deepEqual(everythingOf(world, world.root), before);
		world.inClone('add', 'b');
		const staged = everythingOf(world, world.root);
		await run('forge.apply.skip');
		assert.match(stubbed.shown.at(-1) ?? '', /^Staged changes that are not of the patch would be lost: b\./);
		assert.deepEqual(everythingOf(world, world.root), staged);
	});

	test('stage nothing of a merge that begins while the question of Continue is open', async () => {
		world.commit(
			'a',
			numbered((line) => (line === 3 ? 'III' : String(line))),
			'Otherwise',
		);
		stubbed.answers.push('Current Branch main');
		await run('forge.patchsets.apply', world.subject);
		writeFileSync(join(world.root, 'a'), numbered());
		let before: unknown;
		answerYes(() => {
			if (before === undefined) {
				// The merge conflicts in the file that Continue stages.
				world.script(
					world.root,
					`git reset -q --hard; echo rival >a
					git update-ref refs/heads/rival $(git commit-tree -p HEAD~1 -m Rival $(git add a; git write-tree))
					git reset -q --hard; git merge -q rival || true`,
				);
				before = everythingOf(world, world.root);
			}
		});
		await run('forge.apply.continue');
		assert.equal(stubbed.shown.at(-1), 'A git merge is in progress there. Finish it in a terminal, then try again.');
		assert.deepEqual(everythingOf(world, world.root), before);
	});

	test('name files before the first patch at which git would stop in the middle, but not for a new worktree', async () => {
		const [told, left] = [
			'Files of the working tree would stop git in the middle of the series.',
			['Local changes. Commit or stash them:\nb', 'A new worktree has none of these files.'],
		];
		writeFileSync(join(world.root, 'b'), 'mine\n');
		Object.assign(vscodeWindow, asked);
		stubbed.answers.push('Current Branch main');
		await run('forge.patchsets.apply', world.subject);
		assert.deepEqual([stubbed.shown, stubbed.details.at(-1)?.split('\n\n')], [[told], left]);
		assert.equal(world.inClone('rev-parse', 'HEAD'), world.base);
		stubbed.answers.push('New Worktree at main…', 'change-three');
		await run('forge.patchsets.apply', world.subject);
		assert.match(stubbed.shown.at(-1) ?? '', /^Applied 3 patches/);
		const deaf: typeof world.git = {
			...world.git,
			run: (command, place, signal) =>
				command.kind === 'hashes'
					? Promise.reject(new GitFailure({ kind: 'tooSlow' }))
					: world.git.run(command, place, signal),
		};
		const other = world.window({ parts: { git: deaf } });
		stubbed.answers.push('Current Branch main');
		await assert.rejects(other.run('forge.patchsets.apply', world.subject), isAbort);
		assert.equal(stubbed.shown.at(-1), 'It is not known whether files of the working tree would stop git.');
		other.dispose();
	});

	testInBoth('lose no resolution of an operation that they did not begin', async () => {
		const random = createRandom(seed() + 77);
		const rows = new Map<string, { before: number; during: number }>();
		const moved = Object.entries(moves).map(([name, [script]]) => [name, ['move', script]] as const);
		const operations = [...Object.entries(ownOperations), ...moved];
		for (let left = counts({ least: 2, first: 2, small: 6, full: 500 }); left > 0; left -= 1) {
			resetStub();
			const own = appliedWorld();
			let used = own.window();
			const [name, [operation, script]] = operations[random.below(operations.length)] ?? assert.fail();
			const isPossible = operation !== 'rebase' && operation !== 'am';
			const isMove = operation === 'move';
			const isDuring = isMove || (isPossible && random.chance(40));
			const row = rows.get(name) ?? { before: 0, during: 0 };
			rows.set(name, row);
			row[isDuring ? 'during' : 'before'] += 1;
			const go = async (...[command, ...more]: Parameters<AppliedWindow['run']>): Promise<void> => {
				await used.run(command, ...more).catch((error: unknown) => {
					if (!isAbort(error)) {
						throw error;
					}
				});
				stubbed.answers.length = 0;
			};
			own.commit(
				'a',
				numbered((line) => (line === 3 ? 'III' : String(line))),
				'Otherwise',
			);
			makeOther(own, own.root);
			own.fake.head = { name: 'main', commit: own.inClone('rev-parse', 'HEAD') };
			if (isDuring) {
				stubbed.answers.push('Current Branch main');
				await go('forge.patchsets.apply', own.subject);
				own.inClone('reset', '-q', '--hard');
			}
			begin(own, own.root, script, random.chance(50));
			own.fake.head = { name: 'main', commit: own.inClone('rev-parse', 'HEAD') };
			const before = everythingOf(own, own.root);
			for (let count = 1 + random.below(3); count > 0; count -= 1) {
				if (random.chance(30)) {
					used.dispose();
					used = own.window();
				}
				if (!isDuring && random.chance(60)) {
					const isOnBranch = own.script(own.root, 'git symbolic-ref -q HEAD || true') !== '';
					const commit = own.inClone('rev-parse', 'HEAD').slice(0, 10);
					stubbed.answers.push(isOnBranch ? 'Current Branch main' : `Checked-out Commit ${commit}`);
					await go('forge.patchsets.apply', own.subject);
				} else {
					// Abort ends the series after a move.
					await go(random.pick(isMove ? ([steps[0], steps[1]] as const) : steps));
				}
				assert.deepEqual(everythingOf(own, own.root), before, `${name}: ${JSON.stringify(stubbed.shown)}`);
			}
			if (isMove) {
				const told = 'git for-each-ref; git rev-parse HEAD; git status --porcelain; cat b';
				const found = own.script(own.root, told);
				await go('forge.apply.abort');
				assert.equal(own.script(own.root, told), found, name);
			}
			used.dispose();
			own.remove();
		}
		keepProofTable('Operations and moves of the user beside Apply, Continue, Skip and Abort; resolutions lost: 0', [
			['operation', 'begun before', 'begun during a stop'],
			...Array.from(rows, ([name, { before, during }]) => [name, before, during]),
		]);
	});
});
