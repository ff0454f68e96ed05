import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { isAbort } from '@forge-desk/base/abort.ts';
import { ForgeError, isForgeError } from 'sourcehut/port/forgeError.ts';
import type { Connection } from '../../../../../src/store/connection.ts';
import { fakeConnections } from '../../../../support/fakeConnection.ts';
import { fakeLists, listConnection, type FakeListWorld } from '../../../../support/fakeLists.ts';
import { listsParts } from '../../../../support/fakeListsParts.ts';
import { makeList, makePatchset } from '../../../../support/makeMail.ts';
import { resetStub, stubbed, type StubbedBox } from '../../../../support/vscodeValues.ts';

const { listFilterCommands } = await import('../../../../../src/features/lists/listFilterCommands.ts');

const never = new AbortController().signal;
const devel = { owner: '~alice', name: 'devel' };
const row = { kind: 'list', connectionKey: 'sample-alice', ref: devel };

interface Desk {
	readonly connection: Connection;
	readonly world: FakeListWorld;
	readonly run: (command: 'filter' | 'clearFilter' | 'group', on?: unknown) => Promise<void>;
	/** Runs the filter command. Resolves to its box after it opens, and the end of the command. */
	readonly open: () => Promise<{ readonly box: StubbedBox; readonly ended: Promise<void> }>;
}

async function desk(nowMs?: () => number): Promise<Desk> {
	const { world, api } = fakeLists();
	world.lists.push(makeList());
	world.patchsets.set('~alice/devel', [
		makePatchset({ id: 3, status: 'approved' }),
		makePatchset({ id: 2, status: 'other:on hold', prefix: 'two words' }),
		makePatchset({ id: 1 }),
		...Array.from({ length: nowMs ? 6 : 0 }, (_, at) => makePatchset({ id: 10 + at })),
	]);
	const connection = listConnection(api);
	await connection.lists.patchsets(devel).first(never);
	const usual = listsParts(fakeConnections(connection));
	const parts = nowMs ? { ...usual, clock: { ...usual.clock, nowMs } } : usual;
	const commands = listFilterCommands(parts);
	const run = async (command: string, on?: unknown): Promise<void> =>
		Object.entries(commands).find(([id]) => id === `forge.lists.${command}`)?.[1](on, never, []);
	return {
		connection,
		world,
		run,
		async open() {
			const ended = run('filter', row);
			ended.catch(() => undefined);
			while (stubbed.boxes.length === 0) {
				await new Promise(setImmediate);
			}
			const box = stubbed.boxes.at(-1);
			assert.ok(box);
			await new Promise(setImmediate);
			return { box, ended };
		},
	};
}

function rows({ items }: StubbedBox): readonly (readonly unknown[])[] {
	return items.map(({ label, description }) => [label, description]);
}

suite('filter box of a list', () => {
	setup(() => resetStub());

	test('counts matches while the user types, and Enter applies the filter', async () => {
		const { connection, open } = await desk();
		const { box, ended } = await open();
		box.type('status:approved');
		await new Promise(setImmediate);
		assert.deepEqual(rows(box)[0], ['status:approved', 'patchsets: 1 of 3']);
		box.accept();
		await ended;
		assert.equal(connection.listChoices.of(devel).filter, 'status:approved');
	});

	test('counts in slices, and restarts when the text changes', async () => {
		let nowMs = 0;
		const { open } = await desk(() => (nowMs += 10));
		const { box } = await open();
		box.type('status:proposed');
		assert.deepEqual(rows(box)[0], ['status:proposed', 'counting…']);
		box.type('status:approved');
		for (let turn = 0; turn < 10; turn += 1) {
			await new Promise(setImmediate);
		}
		assert.deepEqual(rows(box)[0], ['status:approved', 'patchsets: 1 of 9']);
	});

	test('shows the error of a term, and Enter fixes it', async () => {
		const { box } = await (await desk()).open();
		box.type('status:aproved');
		assert.equal(box.prompt, '"aproved" is not a value of "status:". Did you mean "approved"?');
		box.accept();
		await new Promise(setImmediate);
		assert.equal(box.value, 'status:approved');
	});

	test('suggests keys, statuses and prefixes of this list, quoted if necessary', async () => {
		const { box } = await (await desk()).open();
		box.type('pre');
		assert.ok(rows(box).some(([label]) => label === 'prefix:'));
		box.type('prefix:');
		assert.deepEqual(rows(box).slice(1), [
			['proj', 'subject prefix'],
			['"two words"', 'subject prefix'],
		]);
		box.type('status:on');
		assert.ok(rows(box).some(([label]) => label === '"on hold"'));
	});

	test('warns that an unknown key is searched as a header, and suggests a similar key', async () => {
		const { box } = await (await desk()).open();
		box.type('prefx:proj');
		await new Promise(setImmediate);
		assert.match(String(rows(box)[0]?.[1]), /"prefx:" searches a message header\. Did you mean "prefix:"\?/);
	});

	test('clears the filter on request, and keeps it when the box closes', async () => {
		const { connection, open } = await desk();
		await connection.listChoices.choose(devel, { filter: 'is:patch', patchsets: 'newest' });
		const first = await open();
		first.box.hide();
		await assert.rejects(first.ended, isAbort);
		assert.equal(connection.listChoices.of(devel).filter, 'is:patch');
		stubbed.boxes.length = 0;
		const second = await open();
		second.box.type('');
		second.box.accept('Show Everything');
		await second.ended;
		assert.deepEqual(connection.listChoices.of(devel), { filter: '', patchsets: 'newest' });
	});

	test('clears the filter of one list or of all by command', async () => {
		const { connection, run } = await desk();
		for (const on of [row, undefined]) {
			await connection.listChoices.choose(devel, { filter: 'is:patch', patchsets: 'board' });
			await run('clearFilter', on);
			assert.equal(connection.listChoices.of(devel).filter, '');
		}
	});

	test('reports lists that failed to load when it clears all filters', async () => {
		const { connection, world, run } = await desk();
		await connection.listChoices.choose(devel, { filter: 'is:patch', patchsets: 'board' });
		world.before = (call) => {
			if (call.startsWith('subscriptions')) {
				throw new ForgeError({ kind: 'rateLimited', untilMs: undefined });
			}
		};
		await assert.rejects(run('clearFilter'), (error) => isForgeError(error) && error.problem.kind === 'rateLimited');
		assert.equal(connection.listChoices.of(devel).filter, '');
	});

	test('asks for the grouping of patchsets and stores it', async () => {
		const { connection, run } = await desk();
		stubbed.answers.push('As one list');
		await run('group', row);
		assert.equal(connection.listChoices.of(devel).patchsets, 'newest');
		stubbed.answers.push('As a board');
		await run('group', row);
		assert.equal(connection.listChoices.of(devel).patchsets, 'board');
	});
});
