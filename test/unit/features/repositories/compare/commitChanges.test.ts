import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { CommandId } from '../../../../../src/editor/commandIds.ts';
import { isForgeError } from '../../../../../src/forge/forgeError.ts';
import {
	comparedWorld,
	noClones,
	watchOpened,
	type ComparedWorld,
	type Opened,
} from '../../../../support/comparedWorld.ts';
import { makeCommit, quill } from '../../../../support/fakeRepositories.ts';
import { resetStub, stubbed } from '../../../../support/vscodeValues.ts';

const { compareCommands } = await import('../../../../../src/features/repositories/compare/compareCommands.ts');

const never = new AbortController().signal;
const within = { connectionKey: 'alice.sample', ref: quill };

suite('what a commit changes', () => {
	let watched: ReturnType<typeof watchOpened>;
	let world: ComparedWorld;

	setup(() => {
		resetStub();
		watched = watchOpened();
		world = comparedWorld();
	});
	teardown(() => watched.dispose());

	async function run(command: CommandId, subject?: unknown): Promise<readonly Opened[]> {
		await compareCommands({ ...world.parts, clones: noClones })[command]?.(subject, never, []);
		return watched.opened;
	}

	test('opens in the editor’s own comparison, both sides at full commit ids', async () => {
		const { first, second } = world;
		assert.deepEqual(await run('forge.repositories.openChanges', { kind: 'commit', ...within, id: second.id }), [
			{
				command: 'vscode.changes',
				passed: [
					`${second.shortId} ${second.message.split('\n')[0]}`,
					[
						// The editor calls renamed what has two paths.
						[`${second.id}/README.md`, `README.md?${first.id}`, `README.md?${second.id}`],
						[`${second.id}/added.txt`, undefined, `added.txt?${second.id}`],
						[`${first.id}/gone.txt`, `gone.txt?${first.id}`, undefined],
						[`${second.id}/new/name.txt`, `old.txt?${first.id}`, `new/name.txt?${second.id}`],
					],
				],
			},
		]);
		assert.deepEqual(stubbed.shown, []);
	});

	test('the first commit is compared with nothing', async () => {
		const { first } = world;
		const [opened] = await run('forge.repositories.openChanges', { kind: 'commit', ...within, id: first.id });
		assert.deepEqual(opened?.passed[1], [
			[`${first.id}/README.md`, undefined, `README.md?${first.id}`],
			[`${first.id}/gone.txt`, undefined, `gone.txt?${first.id}`],
			[`${first.id}/old.txt`, undefined, `old.txt?${first.id}`],
			[`${first.id}/src/main.c`, undefined, `src/main.c?${first.id}`],
		]);
	});

	test('of a merge a parent is asked for, the first one first, or every one', async () => {
		const { merge, second, feature } = world;
		const subject = { kind: 'commit', ...within, id: merge.id };
		const title = (parent: { readonly message: string }): string => parent.message.split('\n')[0] ?? '';
		stubbed.answers.push(`Parent 1: ${title(second)}`);
		await run('forge.repositories.openChanges', subject);
		assert.deepEqual(
			stubbed.offered.map(({ label }) => label),
			[`Parent 1: ${title(second)}`, `Parent 2: ${title(feature)}`, 'Every parent, each in an editor of its own'],
		);
		stubbed.answers.push('Every parent, each in an editor of its own');
		const opened = await run('forge.repositories.openChanges', subject);
		assert.deepEqual(
			opened.map(({ passed }) => passed[0]),
			[second, second, feature].map(({ id }) => `${merge.shortId} Merge feature (against ${id.slice(0, 7)})`),
		);
		assert.deepEqual(opened[0]?.passed[1], [[`${merge.id}/feature.txt`, undefined, `feature.txt?${merge.id}`]]);
	});

	test('of very many parents only a few are asked for', async () => {
		const { fake, second } = world;
		const parents = Array.from({ length: 40 }, (_, at) => makeCommit(950 + at, { tree: second.tree }));
		const merged = makeCommit(949, { tree: second.tree, parents: parents.map(({ id }) => id) });
		fake.world.logs.set('~alice/quill octopus', [merged]);
		for (const parent of parents) {
			fake.world.logs.set(`~alice/quill ${parent.id}`, [parent]);
		}
		stubbed.answers.push('Parent 1: Change 950');
		await run('forge.repositories.openChanges', { kind: 'commit', ...within, id: merged.id });
		assert.equal(stubbed.offered.length, 17);
		assert.equal(fake.world.calls.filter((call) => call.startsWith('log')).length, 17);
		assert.match(stubbed.shown.join(), /^Only the first 16 of 40 parents are offered\./);
	});

	test('a commit that changes nothing says so', async () => {
		const { fake, second } = world;
		const empty = makeCommit(901, { tree: second.tree, parents: [second.id] });
		fake.world.logs.set('~alice/quill empty', [empty, second]);
		assert.deepEqual(await run('forge.repositories.openChanges', { kind: 'commit', ...within, id: empty.id }), []);
		assert.deepEqual(stubbed.shown, ['This commit changes no file.']);
	});

	test('of very many files a part is shown, and names that no file may have are counted', async () => {
		const { fake, second } = world;
		const files = Object.fromEntries(Array.from({ length: 2003 }, (_, at) => [`file-${at}`, 'x']));
		const tree = fake.world.grow({ ...files, '.git': 'x', 'back\\slash': 'x' });
		const many = makeCommit(902, { tree, parents: [second.id] });
		fake.world.logs.set('~alice/quill many', [many, second]);
		const [opened] = await run('forge.repositories.openChanges', { kind: 'commit', ...within, id: many.id });
		assert.equal(Array.isArray(opened?.passed[1]) && opened.passed[1].length, 2000);
		assert.match(
			stubbed.shown.join('\n'),
			/^2 files cannot be shown: .*\nOnly the first 2000 of 2007 files are shown\.$/,
		);
	});

	test('from the palette a commit is asked for', async () => {
		const { second } = world;
		stubbed.answers.push('main', second.message.split('\n')[0]);
		const opened = await run('forge.repositories.openChanges');
		assert.deepEqual(
			opened.map(({ command }) => command),
			['vscode.changes'],
		);
	});

	suite('of one file', () => {
		async function opened(path: string): Promise<readonly unknown[]> {
			const { first, second } = world;
			const subject = { kind: 'change', ...within, before: first.id, after: second.id, path };
			const [one] = await run('forge.repositories.openChange', subject);
			return [one?.command, ...(one?.passed ?? [])];
		}

		test('opens both sides, of a moved one the old path', async () => {
			const { first, second } = world;
			const ids = `${first.id.slice(0, 7)} → ${second.id.slice(0, 7)}`;
			assert.deepEqual(await opened('README.md'), [
				'vscode.diff',
				`README.md?${first.id}`,
				`README.md?${second.id}`,
				`README.md (${ids})`,
				{ preview: true },
			]);
			watched.opened.length = 0;
			assert.deepEqual(await opened('new/name.txt'), [
				'vscode.diff',
				`old.txt?${first.id}`,
				`new/name.txt?${second.id}`,
				`old.txt → new/name.txt (${ids})`,
				{ preview: true },
			]);
		});

		test('opens the one side that there is, and says why', async () => {
			const { first, second } = world;
			assert.deepEqual(await opened('added.txt'), ['vscode.open', `${second.id}/added.txt`]);
			watched.opened.length = 0;
			assert.deepEqual(await opened('gone.txt'), ['vscode.open', `${first.id}/gone.txt`]);
			assert.deepEqual(stubbed.shown, [
				'added.txt is new. There is nothing to compare it with.',
				'gone.txt was deleted. This is what it held.',
			]);
		});

		test('that is the same says so', async () => {
			assert.deepEqual(await opened('src/main.c'), [undefined]);
			assert.deepEqual(stubbed.shown, ['src/main.c is the same in both commits.']);
		});

		test('names in place of ids are not believed', async () => {
			const { first, second } = world;
			for (const sides of [
				{ before: 'main', after: second.id },
				{ before: first.id, after: 'main' },
			]) {
				const subject = { kind: 'change', ...within, ...sides, path: 'README.md' };
				await assert.rejects(run('forge.repositories.openChange', subject), isForgeError);
			}
		});
	});
});
