import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { CommandId } from '../../../../../src/commands/table.ts';
import { ForgeError, isForgeError } from 'sourcehut/port/forgeError.ts';
import { comparedWorld, noClones, watchOpened, type ComparedWorld, type Opened } from '../support/comparedWorld.ts';
import type { Commit } from 'sourcehut/port/repository.ts';
import { eventually } from '../../../../support/eventually.ts';
import { makeCommit, quill } from '../../../../support/fakeRepositories.ts';
import { resetStub, stubbed } from '../../../../support/vscodeValues.ts';

const { compareCommands } = await import('../../../../../src/features/repositories/compare/compareCommands.ts');

const never = new AbortController().signal;
const within = { connectionKey: 'alice.sample', ref: quill };

suite('changes of a commit', () => {
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

	test('open in the editor’s comparison, both sides at full commit ids', async () => {
		const { first, second } = world;
		assert.deepEqual(await run('forge.repositories.openChanges', { kind: 'commit', ...within, id: second.id }), [
			{
				command: 'vscode.changes',
				passed: [
					`${second.shortId} ${second.message.split('\n')[0]}`,
					[
						// The editor shows a file with two paths as renamed.
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

	test('compare the first commit with nothing', async () => {
		const { first } = world;
		const [opened] = await run('forge.repositories.openChanges', { kind: 'commit', ...within, id: first.id });
		assert.deepEqual(opened?.passed[1], [
			[`${first.id}/README.md`, undefined, `README.md?${first.id}`],
			[`${first.id}/gone.txt`, undefined, `gone.txt?${first.id}`],
			[`${first.id}/old.txt`, undefined, `old.txt?${first.id}`],
			[`${first.id}/src/main.c`, undefined, `src/main.c?${first.id}`],
		]);
	});

	test('offer each parent of a merge, the first one first, or all', async () => {
		const { merge, second, feature } = world;
		const subject = { kind: 'commit', ...within, id: merge.id };
		const title = (parent: { readonly message: string }): string => parent.message.split('\n')[0] ?? '';
		stubbed.answers.push(`Parent 1: ${title(second)}`);
		await run('forge.repositories.openChanges', subject);
		assert.deepEqual(
			stubbed.offered.map(({ label }) => label),
			[`Parent 1: ${title(second)}`, `Parent 2: ${title(feature)}`, 'All parents, each in its own editor'],
		);
		stubbed.answers.push('All parents, each in its own editor');
		const opened = await run('forge.repositories.openChanges', subject);
		assert.deepEqual(
			opened.map(({ passed }) => passed[0]),
			[second, second, feature].map(({ id }) => `${merge.shortId} Merge feature (against ${id.slice(0, 7)})`),
		);
		assert.deepEqual(opened[0]?.passed[1], [[`${merge.id}/feature.txt`, undefined, `feature.txt?${merge.id}`]]);
	});

	test('offer only some of very many parents', async () => {
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

	test('report when a commit changes nothing', async () => {
		const { fake, second } = world;
		const empty = makeCommit(901, { tree: second.tree, parents: [second.id] });
		fake.world.logs.set('~alice/quill empty', [empty, second]);
		assert.deepEqual(await run('forge.repositories.openChanges', { kind: 'commit', ...within, id: empty.id }), []);
		assert.deepEqual(stubbed.shown, ['This commit changes no files.']);
	});

	/** A commit on top of the second one that adds these files, each with its own blob id. */
	function adding(number: number, count: number, more: Readonly<Record<string, string>> = {}): Commit {
		const { fake, second } = world;
		const files = Object.fromEntries(Array.from({ length: count }, (_, at) => [`file-${1000 + at}`, `text ${at}\n`]));
		const added = makeCommit(number, { tree: fake.world.grow({ ...files, ...more }), parents: [second.id] });
		fake.world.logs.set(`~alice/quill ${added.id}`, [added, second]);
		return added;
	}

	test('show the first of very many files, and the next ones on request', async () => {
		const many = adding(902, 203, { '.git': 'x', 'back\\slash': 'x' });
		stubbed.answers.push(undefined, 'Show Next Files', undefined);
		const opened = await run('forge.repositories.openChanges', { kind: 'commit', ...within, id: many.id });
		await eventually(async () => opened.length, 2);
		const title = `${many.shortId} Change 902`;
		assert.deepEqual(
			opened.map(({ passed: [shown, files] }) => [shown, Array.isArray(files) && files.length]),
			[
				[`${title} – files 1 to 100 of 207`, 100],
				[`${title} – files 101 to 200 of 207`, 100],
			],
		);
		assert.deepEqual(stubbed.shown.slice(1), [
			'Files 1 to 100 of 207 are shown.',
			'Files 101 to 200 of 207 are shown.',
		]);
		assert.match(stubbed.shown[0] ?? '', /^2 files cannot be shown: /);
	});

	test('open, and the command ends, while its notice stays open', async () => {
		const { fake, second } = world;
		const open = Promise.withResolvers<string>();
		stubbed.laterAnswers.push(open.promise, open.promise);
		const empty = makeCommit(906, { tree: second.tree, parents: [second.id] });
		fake.world.logs.set('~alice/quill empty', [empty, second]);
		await run('forge.repositories.openChanges', { kind: 'commit', ...within, id: empty.id });
		assert.equal(
			(await run('forge.repositories.openChanges', { kind: 'commit', ...within, id: adding(907, 203).id })).length,
			1,
		);
		assert.equal(stubbed.shown.length, 2);
	});

	test('report a failure with the next files', async () => {
		const { fake } = world;
		const told: unknown[] = [];
		const many = adding(908, 203);
		stubbed.answers.push('Show Next Files');
		const problems = { ...world.parts.problems, show: async (error: unknown) => void told.push(error) };
		fake.world.before = (call) => {
			if (call.startsWith('blob') && watched.opened.length === 1) {
				throw new ForgeError({ kind: 'unreachable', reason: 'offline', host: 'git.forge.test' });
			}
		};
		const commands = compareCommands({ ...world.parts, problems, clones: noClones });
		await commands['forge.repositories.openChanges']?.({ kind: 'commit', ...within, id: many.id }, never, []);
		await eventually(async () => told.length, 1);
		assert.deepEqual([isForgeError(told[0]), watched.opened.length], [true, 1]);
	});

	test('read all texts in limited batches before the editor requests them', async () => {
		const { fake } = world;
		const many = adding(903, 84);
		let [inFlight, most, open] = [0, 0, 0];
		fake.world.before = async (call) => {
			if (call.startsWith('blob')) {
				inFlight += 1;
				most = Math.max(most, inFlight);
				await new Promise((resolve) => setImmediate(resolve));
				inFlight -= 1;
				open = Math.max(open, watched.opened.length);
			}
		};
		await run('forge.repositories.openChanges', { kind: 'commit', ...within, id: many.id });
		const texts = fake.world.calls.filter((call) => call.startsWith('blob'));
		assert.equal(new Set(texts).size, texts.length);
		assert.ok(texts.length >= 84, String(texts.length));
		assert.deepEqual([most, open, watched.opened.length], [32, 0, 1]);
		// The requests of the editor hit the cache.
		await world.store.folders.readAhead(quill, [{ ref: many.id, path: 'file-1083' }], () => undefined, never);
		assert.equal(fake.world.calls.filter((call) => call.startsWith('blob')).length, texts.length);
	});

	test('report an unreachable forge once, and open nothing', async () => {
		const { fake } = world;
		const many = adding(904, 84);
		fake.world.before = (call) => {
			if (call.startsWith('blob')) {
				throw new ForgeError({ kind: 'unreachable', reason: 'offline', host: 'git.forge.test' });
			}
		};
		await assert.rejects(
			run('forge.repositories.openChanges', { kind: 'commit', ...within, id: many.id }),
			(error) => isForgeError(error) && error.problem.kind === 'unreachable',
		);
		assert.deepEqual(watched.opened, []);
		assert.ok(fake.world.calls.filter((call) => call.startsWith('blob')).length <= 32);
	});

	test('show the other files when one text is unreadable', async () => {
		const { fake } = world;
		const many = adding(905, 3);
		let refused = 0;
		fake.world.before = (call) => {
			if (call.startsWith('blob') && refused === 0) {
				refused += 1;
				throw new ForgeError({ kind: 'notAllowed' });
			}
		};
		const opened = await run('forge.repositories.openChanges', { kind: 'commit', ...within, id: many.id });
		assert.deepEqual([opened.length, refused], [1, 1]);
	});

	test('ask for a commit in the palette', async () => {
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

		test('open both sides, and the old path of a moved file', async () => {
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

		test('open the only side of an added or deleted file, and say why', async () => {
			const { first, second } = world;
			assert.deepEqual(await opened('added.txt'), ['vscode.open', `${second.id}/added.txt`]);
			watched.opened.length = 0;
			assert.deepEqual(await opened('gone.txt'), ['vscode.open', `${first.id}/gone.txt`]);
			assert.deepEqual(stubbed.shown, [
				'added.txt is new. There is nothing to compare it with.',
				'gone.txt was deleted. This is its last content.',
			]);
		});

		test('report when the file is the same', async () => {
			assert.deepEqual(await opened('src/main.c'), [undefined]);
			assert.deepEqual(stubbed.shown, ['src/main.c is the same in both commits.']);
		});

		test('reject names in place of commit ids', async () => {
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
