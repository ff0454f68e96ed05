import '../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { isAbort } from '@forge-desk/base/abort.ts';
import type { CommandTable } from '../../../../src/editor/commands/feature.ts';
import type { PageHost } from '../../../../src/editor/pages/pageHost.ts';
import { ForgeError, isForgeError } from 'sourcehut/port/forgeError.ts';
import type { Patchset } from 'sourcehut/port/list.ts';
import { formedPatchsetId } from 'patchmail/series/listedPatchset.ts';
import type { StatusSuggestion } from '../../../../src/store/lists/patchsets/patchsetReview.ts';
import type { Connection } from '../../../../src/store/connection.ts';
import { fakeConnections } from '../../../support/fakeConnection.ts';
import { fakeLists, listConnection, type FakeLists, type FakeListWorld } from '../../../support/fakeLists.ts';
import { listsParts, noPages } from '../../../support/fakeListsParts.ts';
import { makeList, makeMail, makePatchset } from '../../../support/makeMail.ts';
import { makeUser } from '../../../support/makeTicket.ts';
import { bringToFront } from '../../../support/stubbedFront.ts';
import { resetStub, stubbed } from '../../../support/vscodeValues.ts';

const { listCommands } = await import('../../../../src/features/lists/listCommands.ts');
const { exportCommands } = await import('../../../../src/features/patches/apply/exportPatchset.ts');
const { pullCommands } = await import('../../../../src/features/patches/pull/pullChanges.ts');
const { patchUri } = await import('../../../../src/editor/patchDocuments/patchUri.ts');

const never = new AbortController().signal;
const connectionKey = 'sample-alice';
const devel = { owner: '~alice', name: 'devel' };
const diffText = 'Why.\r\n---\r\ndiff --git a/a b/a\r\n--- a/a\r\n+++ b/a\r\n@@ -1 +1 @@\r\n-a\r\n+b\r\n';
const hers = { owner: '~carol', name: 'hers' };
const bobs = { owner: '~bob', name: 'bobs' };

interface Desk {
	readonly fake: FakeLists;
	readonly world: FakeListWorld;
	readonly connection: Connection;
	/** The lists of the second account. */
	readonly others: FakeListWorld;
	/** `on` are the selected rows, the focused one first. */
	readonly run: (command: keyof CommandTable, ...on: readonly unknown[]) => Promise<void>;
}

interface DeskChoice {
	readonly pages?: PageHost;
	readonly api?: FakeLists;
	/** Whether there is a second account, `sample-carol`. */
	readonly isSecondThere?: boolean;
}

/** Each patch changes `a`, and no clone is open. */
const untried = 'Open the clone to try these files with git before you apply them: a.';

function desk({ pages = noPages, api, isSecondThere = false }: DeskChoice = {}): Desk {
	const fake = api ?? fakeLists();
	const { world } = fake;
	world.lists.push(makeList(), makeList({ name: 'bobs', owner: makeUser('bob') }));
	world.patchsets.set(
		'~alice/devel',
		[3, 2, 1].map((id) => makePatchset({ id, subject: `Set ${id}`, version: id })),
	);
	world.patchsets.set('~bob/bobs', [makePatchset({ id: 9, subject: 'Nine' })]);
	world.series.set(
		2,
		[1, 2].map((at) =>
			makeMail({ id: 20 + at, subject: `[PATCH proj v2 ${at}/2] Part ${at}`, isPatch: true, text: diffText }),
		),
	);
	const connection = listConnection(fake.api);
	const other = fakeLists('~carol');
	other.world.patchsets.set('~carol/hers', [makePatchset({ id: 2, subject: 'Elsewhere' })]);
	const second = listConnection(other.api, '~carol');
	const all = isSecondThere ? [connection, second] : [connection];
	const parts = { ...listsParts(fakeConnections(...all)), pages };
	const commands: CommandTable = {
		...listCommands(
			parts,
			() => Promise.resolve(),
			() => Promise.reject(new Error('No conversation is opened here')),
		),
		...pullCommands(parts),
		...exportCommands(parts),
	};
	return {
		fake,
		world,
		others: other.world,
		connection,
		run: async (command, ...on) => commands[command]?.(on[0], never, on),
	};
}

/** The active page is the thread of message 1. */
const threadInFront: PageHost = {
	...noPages,
	inFront: () => ({ kind: 'mail', connectionKey, list: devel, id: 1, messageId: undefined }),
	dispose: () => undefined,
};

const patchset = (id: number, list = devel): object => ({ kind: 'patchset', connectionKey, ref: { list, id } });

function writes({ calls }: FakeListWorld): readonly string[] {
	return calls.filter((call) => /^(?:status|create|update|remove) /.test(call));
}

/** The command doesn’t await its list of outcomes. */
const later = (): Promise<void> => new Promise(setImmediate);

suite('undo of patchset statuses', () => {
	setup(() => resetStub());

	const set = { ...patchset(1), status: 'rejected' };

	test('reverts the newest change of the active patchset without a question', async () => {
		const { world, run } = desk();
		await run('forge.patchsets.setStatus', set);
		await run('forge.patchsets.setStatus', { ...patchset(2), status: 'approved' });
		await run('forge.patchsets.undo', patchset(1));
		assert.deepEqual(writes(world).slice(2), ['status ~alice/devel 1 proposed']);
		assert.deepEqual(stubbed.details, []);
		assert.equal(stubbed.shown.at(-1), 'Set 1 (v1 · devel #1): Proposed');
	});

	test('names a patchset that is not active, and does nothing when the user cancels', async () => {
		const { world, run } = desk();
		await run('forge.patchsets.setStatus', set);
		await assert.rejects(run('forge.patchsets.undo', patchset(3)), isAbort);
		assert.equal(writes(world).length, 1);
		stubbed.answers.push('Undo');
		await run('forge.patchsets.undo');
		assert.deepEqual(writes(world).slice(1), ['status ~alice/devel 1 proposed']);
		assert.deepEqual(stubbed.details, Array(2).fill('"Set 1" (v1 · devel #1) back to Proposed'));
		await run('forge.patchsets.undo');
		assert.equal(stubbed.shown.at(-1), 'There is nothing to undo in this window.');
	});

	test('restores the previous status of each patchset', async () => {
		const { world, run } = desk();
		await run('forge.patchsets.setStatus', { ...patchset(2), status: 'approved' });
		stubbed.answers.push('Set to Rejected');
		await run('forge.patchsets.setStatus', set, patchset(2));
		stubbed.answers.push('Undo');
		await run('forge.patchsets.undo', patchset(2));
		assert.deepEqual(writes(world).slice(3), ['status ~alice/devel 1 proposed', 'status ~alice/devel 2 approved']);
		assert.equal(stubbed.shown.at(-1), 'Undid status changes on 2 patchsets.');
	});

	test('skips a status that someone changed since, and keeps a change that the forge rejected', async () => {
		const { world, connection, run } = desk();
		await run('forge.patchsets.setStatus', set);
		await run('forge.patchsets.setStatus', { ...patchset(2), status: 'rejected' });
		const all = world.patchsets.get('~alice/devel') ?? [];
		world.patchsets.set(
			'~alice/devel',
			all.map((each) => (each.id === 2 ? { ...each, status: 'applied' } : each)),
		);
		await run('forge.patchsets.undo', patchset(2));
		assert.equal(stubbed.shown.at(-1), 'Nothing was undone: someone has changed the status since.');
		assert.equal(connection.lists.knownPatchset({ list: devel, id: 2 })?.status, 'applied');
		world.before = (call) => {
			if (call.startsWith('status ')) {
				throw new ForgeError({ kind: 'rateLimited', untilMs: undefined });
			}
		};
		await assert.rejects(run('forge.patchsets.undo', patchset(1)), isForgeError);
		world.before = () => undefined;
		await run('forge.patchsets.undo', patchset(1));
		assert.equal(writes(world).at(-1), 'status ~alice/devel 1 proposed');
	});

	test('skips a status that changes during the question, and drops it', async () => {
		const { world, run } = desk();
		await run('forge.patchsets.setStatus', set);
		const open = Promise.withResolvers<string>();
		stubbed.laterAnswers.push(open.promise);
		const undoing = run('forge.patchsets.undo');
		await later();
		const all = world.patchsets.get('~alice/devel') ?? [];
		world.patchsets.set(
			'~alice/devel',
			all.map((each) => (each.id === 1 ? { ...each, status: 'applied' } : each)),
		);
		open.resolve('Undo');
		await undoing;
		assert.equal(writes(world).length, 1);
		assert.equal(stubbed.shown.at(-1), 'Set 1 (v1 · devel #1): Not changed: it was set to Applied in the meantime.');
		await run('forge.patchsets.undo');
		assert.equal(stubbed.shown.at(-1), 'There is nothing to undo in this window.');
	});

	/** Sets patchsets 1 and 2 to rejected in one command. */
	async function rejectTwo({ run }: Desk): Promise<void> {
		stubbed.answers.push('Set to Rejected');
		await run('forge.patchsets.setStatus', set, patchset(2));
	}

	const fails = (problem: ForgeError['problem']): never => {
		throw new ForgeError(problem);
	};

	test('keeps a change that failed to load for a later undo, and lists it with the reverted ones', async () => {
		const made = desk();
		const { world, run } = made;
		await rejectTwo(made);
		world.before = (call) =>
			call === 'patchset ~alice/devel 2' ? fails({ kind: 'rateLimited', untilMs: undefined }) : undefined;
		stubbed.answers.push('Undo');
		await run('forge.patchsets.undo');
		await later();
		assert.deepEqual(writes(world).slice(2), ['status ~alice/devel 1 proposed']);
		assert.equal(stubbed.asked.at(-1), 'Undid status changes on 1 of 2 patchsets.');
		assert.deepEqual(
			stubbed.offered.map(({ label }) => label),
			['Set 2', 'Set 1'],
		);
		world.before = () => undefined;
		stubbed.answers.push('Undo');
		await run('forge.patchsets.undo');
		assert.deepEqual(writes(world).slice(3), ['status ~alice/devel 2 proposed']);
	});

	test('keeps nothing after a successful retry', async () => {
		const made = desk();
		const { world, run } = made;
		await rejectTwo(made);
		let refusals = 1;
		world.before = (call) =>
			call.startsWith('status ~alice/devel 2') && refusals-- > 0
				? fails({ kind: 'rateLimited', untilMs: undefined })
				: undefined;
		stubbed.answers.push('Undo', 'Try the Missing Ones Again');
		await run('forge.patchsets.undo');
		await later();
		assert.deepEqual(writes(world).slice(2), [
			'status ~alice/devel 1 proposed',
			'status ~alice/devel 2 proposed',
			'status ~alice/devel 2 proposed',
		]);
		await run('forge.patchsets.undo');
		assert.equal(stubbed.shown.at(-1), 'There is nothing to undo in this window.');
	});

	test('from a notification covers the patchsets of that notification only', async () => {
		const { world, run } = desk();
		await run('forge.patchsets.setStatus', set);
		stubbed.answers.push('Set to Rejected', 'Undo', 'Undo');
		await run('forge.patchsets.setStatus', set, patchset(2));
		await later();
		assert.deepEqual(writes(world).slice(3), ['status ~alice/devel 2 proposed']);
		assert.equal(stubbed.details.at(-1), '"Set 2" (v2 · devel #2) back to Proposed');
		await run('forge.patchsets.undo', patchset(1));
		assert.deepEqual(writes(world).slice(4), ['status ~alice/devel 1 proposed']);
	});

	test('from an old notification reports that the change was already undone', async () => {
		const { world, run } = desk();
		const open = Promise.withResolvers<string>();
		stubbed.laterAnswers.push(Promise.resolve('Set to Rejected'), open.promise);
		await run('forge.patchsets.setStatus', set, patchset(2));
		stubbed.answers.push('Undo');
		await run('forge.patchsets.undo');
		const before = writes(world).length;
		await run('forge.patchsets.setStatus', { ...patchset(3), status: 'applied' });
		open.resolve('Undo');
		await later();
		assert.equal(stubbed.shown.at(-1), 'This was already undone.');
		assert.deepEqual(writes(world).slice(before), ['status ~alice/devel 3 applied']);
	});
});

suite('setting the status of several patchsets', () => {
	setup(() => resetStub());

	test('asks once, sets each, and reports the count', async () => {
		const { world, run } = desk();
		stubbed.answers.push('Approved', 'Set to Approved');
		await run('forge.patchsets.setStatus', patchset(3), patchset(1), patchset(3));
		assert.deepEqual(stubbed.asked, ['Status of 2 patchsets']);
		assert.deepEqual(writes(world), ['status ~alice/devel 3 approved', 'status ~alice/devel 1 approved']);
		assert.deepEqual(stubbed.shown, ['Set the status of 2 patchsets to Approved?', 'Marked 2 patchsets as Approved.']);
	});

	test('asks for a confirmation that names them, even with a given status', async () => {
		const { world, run } = desk();
		stubbed.answers.push('Approved');
		await assert.rejects(run('forge.patchsets.setStatus', patchset(3), patchset(1)), isAbort);
		const given = { ...patchset(3), status: 'rejected' };
		await assert.rejects(run('forge.patchsets.setStatus', given, patchset(1)), isAbort);
		assert.deepEqual(writes(world), []);
		assert.deepEqual(stubbed.details, [
			'"Set 3" (v3 · devel #3)\n"Set 1" (v1 · devel #1)',
			'"Set 3" (v3 · devel #3)\n"Set 1" (v1 · devel #1)',
		]);
	});

	test('shortens long subjects in the question so that all names fit', async () => {
		const { world, run } = desk();
		const long = makePatchset({ id: 1, subject: 'a'.repeat(500) });
		world.patchsets.set('~alice/devel', [makePatchset({ id: 2, subject: 'Set 2' }), long]);
		stubbed.answers.push('Approved', 'Set to Approved', undefined, 'Undo');
		await run('forge.patchsets.setStatus', patchset(1), patchset(2));
		await later();
		await run('forge.patchsets.undo');
		const shown = `"${'a'.repeat(80)}…" (v1 · devel #1)`;
		assert.deepEqual(stubbed.details, [
			`${shown}\n"Set 2" (v1 · devel #2)`,
			`${shown} back to Proposed\n"Set 2" (v1 · devel #2) back to Proposed`,
		]);
	});

	test('reports each failure with the permitted account, and sets the others', async () => {
		const { world, run } = desk();
		stubbed.answers.push('Applied', 'Set to Applied', 'Nine');
		await run('forge.patchsets.setStatus', patchset(9, bobs), patchset(1));
		await later();
		assert.deepEqual(writes(world), ['status ~bob/bobs 9 applied', 'status ~alice/devel 1 applied']);
		assert.equal(stubbed.asked.at(-1), 'Marked 1 of 2 patchsets as Applied.');
		assert.deepEqual(
			stubbed.offered.map(({ label, detail }) => [label, detail]),
			[
				['Nine', "The forge rejected this status: only the list's owner can set it. Ask ~bob, or mark it in a reply."],
				['Undo What Was Done', undefined],
				['Set 1', 'Applied'],
			],
		);
		await later();
		assert.deepEqual(stubbed.executed, ['forge.patchsets.open']);
	});

	test('stops after an error that affects all requests, and retries on request', async () => {
		const { world, run } = desk();
		let isDown = true;
		world.before = (call) => {
			if (call.startsWith('status ') && isDown) {
				throw new ForgeError({ kind: 'rateLimited', untilMs: undefined });
			}
		};
		stubbed.answers.push('Approved', 'Set to Approved');
		await run('forge.patchsets.setStatus', patchset(3), patchset(2));
		assert.deepEqual(writes(world), ['status ~alice/devel 3 approved']);
		isDown = false;
		stubbed.answers.push('Approved', 'Set to Approved', 'Try the Missing Ones Again');
		await run('forge.patchsets.setStatus', patchset(3), patchset(1));
		await later();
		assert.equal(stubbed.shown.at(-1), 'Marked 2 patchsets as Approved.');
	});

	test('continues on other forges after one forge fails', async () => {
		const { fake, run, others } = desk({ isSecondThere: true });
		fake.world.before = (call) => {
			if (call.startsWith('status ')) {
				throw new ForgeError({ kind: 'rateLimited', untilMs: undefined });
			}
		};
		stubbed.answers.push('Approved', 'Set to Approved');
		const elsewhere = { ...patchset(2, hers), connectionKey: 'sample-carol' };
		await run('forge.patchsets.setStatus', patchset(3), patchset(1), elsewhere);
		await later();
		assert.deepEqual(writes(fake.world), ['status ~alice/devel 3 approved']);
		assert.deepEqual(writes(others), ['status ~carol/hers 2 approved']);
	});

	test('continues on forges that respond when another one fails', async () => {
		const { world, run, others } = desk({ isSecondThere: true });
		others.before = () => {
			throw new ForgeError({ kind: 'rateLimited', untilMs: undefined });
		};
		stubbed.answers.push('Approved', 'Set to Approved');
		await run('forge.patchsets.setStatus', { ...patchset(2, hers), connectionKey: 'sample-carol' }, patchset(3));
		await later();
		assert.deepEqual(writes(world), ['status ~alice/devel 3 approved']);
	});

	test('checks after a lost response, and never sends twice', async () => {
		const { fake, world, run } = desk();
		const setPatchsetStatus = fake.api.setPatchsetStatus.bind(fake.api);
		fake.api.setPatchsetStatus = async (ref, status, signal) => {
			await setPatchsetStatus(ref, status, signal);
			throw new ForgeError({ kind: 'serverError', status: 502 });
		};
		stubbed.answers.push('Rejected');
		await run('forge.patchsets.setStatus', patchset(1));
		assert.deepEqual(writes(world), ['status ~alice/devel 1 rejected']);
		assert.deepEqual(stubbed.shown, [
			'Set 1 (v1 · devel #1): Rejected · The response was lost, but the change was made.',
		]);
	});

	test('offers statuses seen on the forge, and sends them unchanged', async () => {
		const { world, run } = desk();
		world.patchsets.get('~alice/devel')?.push(makePatchset({ id: 8, subject: 'Held', status: 'other:on hold' }));
		stubbed.answers.push('Set 1', 'on hold');
		await run('forge.patchsets.setStatus');
		assert.equal(stubbed.offered.find(({ label }) => label === 'on hold')?.description, 'seen on this forge');
		assert.deepEqual(writes(world), ['status ~alice/devel 1 other:on hold']);
	});

	test('uses the patchset of the active page or of a button', async () => {
		const { world, run } = desk({ pages: { ...noPages, inFront: () => patchset(2), dispose: () => undefined } });
		stubbed.answers.push('Approved');
		await run('forge.patchsets.setStatus');
		await run('forge.patchsets.setStatus', { ...patchset(1), status: 'rejected' });
		assert.deepEqual(writes(world), ['status ~alice/devel 2 approved', 'status ~alice/devel 1 rejected']);
		assert.deepEqual(stubbed.asked, ['Status of "Set 2" (v2 · devel #2)']);
		assert.deepEqual(stubbed.shown, ['Set 2 (v2 · devel #2): Approved', 'Set 1 (v1 · devel #1): Rejected']);
	});

	test('uses the patchset of the active diff from the palette', async () => {
		const { world, run } = desk();
		const place = { connectionKey, list: devel, patchsetId: 2, mailId: 21 };
		bringToFront(patchUri({ ...place, view: { kind: 'after', fileIndex: 0 } }, 'a'));
		stubbed.answers.push('Approved');
		await run('forge.patchsets.setStatus');
		assert.deepEqual(writes(world), ['status ~alice/devel 2 approved']);
		assert.deepEqual(stubbed.asked, ['Status of "Set 2" (v2 · devel #2)']);
	});

	test('accepts a forge’s own status from a command argument, and asks for an invalid one', async () => {
		const { world, run } = desk();
		await run('forge.patchsets.setStatus', { ...patchset(1), status: 'other:on hold' });
		assert.deepEqual([stubbed.asked, writes(world)], [[], ['status ~alice/devel 1 other:on hold']]);
		for (const status of ['unknown', 'other:', `other:${'x'.repeat(100)}`, 'other:a\nb', 7]) {
			await assert.rejects(run('forge.patchsets.setStatus', { ...patchset(1), status }), isAbort);
		}
		assert.equal(stubbed.asked.length, 5);
	});

	test('works for a thread with a deleted patchset, and fails if all are gone', async () => {
		const { world, connection, run } = desk({ pages: threadInFront });
		world.mails.push(
			makeMail({ id: 1, subject: '[PATCH] Set', patchsetId: 1, isPatch: true }),
			makeMail({ id: 5, subject: '[PATCH v2] Set', threadId: 1, parentId: 1, patchsetId: 77, isPatch: true }),
		);
		await connection.lists.thread(devel, 1, never);
		stubbed.answers.push('Set 1', 'Approved');
		await run('forge.patchsets.setStatus');
		assert.deepEqual(writes(world), ['status ~alice/devel 1 approved']);
		world.patchsets.set('~alice/devel', []);
		const gone = desk({ pages: threadInFront });
		gone.world.mails.push(...world.mails);
		gone.world.patchsets.set('~alice/devel', []);
		await gone.connection.lists.thread(devel, 1, never);
		await assert.rejects(
			gone.run('forge.patchsets.setStatus'),
			(error) => isForgeError(error) && error.problem.kind === 'notFound',
		);
	});

	test('requests only the newest patchsets of a thread with very many', async () => {
		const { world, connection, run } = desk({ pages: threadInFront });
		world.mails.push(
			...Array.from({ length: 200 }, (_, at) =>
				makeMail({ id: at + 1, ...(at > 0 && { threadId: 1, parentId: 1 }), patchsetId: 1000 + at, isPatch: true }),
			),
		);
		await connection.lists.thread(devel, 1, never);
		await assert.rejects(run('forge.patchsets.setStatus'));
		const asked = world.calls.filter((call) => call.startsWith('patchset '));
		assert.deepEqual([asked.length, asked.at(-1)], [50, 'patchset ~alice/devel 1199']);
	});

	test('asks for the version if the active thread has several', async () => {
		const { world, connection, run } = desk({ pages: threadInFront });
		world.mails.push(
			makeMail({ id: 1, subject: '[PATCH] Set', patchsetId: 1, isPatch: true }),
			makeMail({ id: 5, subject: '[PATCH v2] Set', threadId: 1, parentId: 1, patchsetId: 2, isPatch: true }),
		);
		await connection.lists.thread(devel, 1, never);
		stubbed.answers.push('Set 2', 'Approved');
		await run('forge.patchsets.setStatus');
		assert.deepEqual(stubbed.asked, ['Choose a patchset of this thread', 'Status of "Set 2" (v2 · devel #2)']);
		assert.deepEqual(writes(world), ['status ~alice/devel 2 approved']);
	});
});

suite('a version sent as a reply', () => {
	setup(() => resetStub());

	test('sets the status of the patchset of its thread', async () => {
		const api = fakeLists();
		const { world, connection, run } = desk({ api });
		const parts = [
			['', 1],
			[' v2', 4],
		] as const;
		const list = { name: 'devel', owner: makeUser('alice') };
		const mails = parts.map(([version, id]) =>
			makeMail({
				id,
				list,
				subject: `[PATCH proj${version}] Set 1`,
				threadId: id === 1 ? undefined : 1,
				patchsetId: id === 1 ? 1 : undefined,
				isPatch: true,
				text: diffText,
			}),
		);
		world.mails.push(...mails);
		const second = formedPatchsetId(4);
		await connection.lists.patchset({ list: devel, id: second }, never);
		await run('forge.patchsets.setStatus', { ...patchset(second), status: 'applied' });
		assert.deepEqual(writes(world), ['status ~alice/devel 1 applied']);
		stubbed.answers.push('Set to Rejected');
		await run('forge.patchsets.setStatus', { ...patchset(second), status: 'rejected' }, patchset(1), patchset(3));
		assert.deepEqual(writes(world).slice(1), ['status ~alice/devel 1 rejected', 'status ~alice/devel 3 rejected']);
	});
});

suite('list choice', () => {
	setup(() => resetStub());

	test('appears while another forge fails, even for a single list', async () => {
		const { run, others } = desk({ isSecondThere: true });
		others.before = () => {
			throw new ForgeError({ kind: 'rateLimited', untilMs: undefined });
		};
		stubbed.answers.push('~alice/devel', 'Set 2', 'Approved');
		await run('forge.patchsets.setStatus');
		assert.deepEqual(stubbed.asked.slice(0, 2), ['Choose a list', 'Choose a patchset of devel']);
	});

	test('fails with the reason if no list can load', async () => {
		const { run, world } = desk();
		world.before = () => {
			throw new ForgeError({ kind: 'rateLimited', untilMs: undefined });
		};
		await assert.rejects(
			run('forge.patchsets.setStatus'),
			(error) => isForgeError(error) && error.problem.kind === 'rateLimited',
		);
	});
});

suite('suggested statuses', () => {
	setup(() => resetStub());

	function suggesting(...suggestions: readonly StatusSuggestion[]): Desk {
		const made = desk();
		const { reviews } = made.connection;
		const read = reviews.read.bind(reviews);
		reviews.read = async (ref, signal) => ({ ...(await read(ref, signal)), suggestions });
		return made;
	}

	const newer: Patchset = makePatchset({ id: 3, subject: 'Set\u202E 3', version: 3 });

	test('appear with their evidence, and set nothing before a choice', async () => {
		const { world, run } = suggesting({ kind: 'superseded', status: 'superseded', by: newer, link: 'subject' });
		await assert.rejects(run('forge.patchsets.suggestStatus', patchset(1)), isAbort);
		assert.deepEqual(
			stubbed.offered.map(({ label, detail }) => [label, detail]),
			[
				['Set to Superseded by v3', 'Version 3 has the same subject, prefix and sender. "Set⟨U+202E⟩ 3"'],
				['View the Evidence First', undefined],
			],
		);
		assert.deepEqual(writes(world), []);
		stubbed.answers.push('Set to Superseded by v3');
		await run('forge.patchsets.suggestStatus', patchset(1));
		assert.deepEqual(writes(world), ['status ~alice/devel 1 superseded']);
	});

	test('open their evidence', async () => {
		const mail = {
			id: 77,
			messageId: '<m77@forge.test>',
			parentId: 1,
			createdMs: 0,
			subject: 'Re: Set 1',
			account: '~alice',
			reading: { kind: 'raw', reason: 'unreadable', text: '' },
		} as const;
		const { run } = suggesting({ kind: 'appliedInThread', status: 'applied', mail, quote: 'Applied, thanks!' });
		stubbed.answers.push('View the Evidence First');
		await run('forge.patchsets.suggestStatus', patchset(1));
		assert.match(stubbed.offered[0]?.detail ?? '', /^~alice wrote on .*: "Applied, thanks!"$/);
		assert.deepEqual(stubbed.executed, ['forge.lists.openThread']);
		assert.deepEqual(stubbed.passed, [
			{ kind: 'mail', connectionKey, list: devel, id: 77, messageId: '<m77@forge.test>' },
		]);
	});

	test('are absent with a message if nothing suggests one', async () => {
		const { run } = suggesting();
		await run('forge.patchsets.suggestStatus', patchset(1));
		assert.deepEqual(stubbed.shown, ['No suggested status change for "Set 1" (Proposed).']);
	});
});

suite('exporting a patchset', () => {
	setup(() => resetStub());

	test('saves its patches as a mailbox, and offers the command to apply it', async () => {
		const { run } = desk();
		stubbed.answers.push("/home/it's/v2.mbox", 'Copy git am Command');
		await run('forge.patchsets.save', patchset(2));
		await later();
		const [[path, text] = ['', '']] = stubbed.written;
		assert.equal(path, "/home/it's/v2.mbox");
		assert.deepEqual(
			text.split('\n').filter((line) => line.startsWith('Subject: ')),
			['Subject: [PATCH proj v2 1/2] Part 1', 'Subject: [PATCH proj v2 2/2] Part 2'],
		);
		assert.ok(!text.includes('\r'));
		assert.deepEqual(stubbed.copied, [String.raw`git am -3 '/home/it'\''s/v2.mbox'`]);
	});

	test('adds the chosen trailers of replies', async () => {
		const { world, run } = desk();
		const patches = world.series.get(2) ?? [];
		world.mails.push(
			...patches.map((mail, at) => (at === 0 ? mail : { ...mail, parentId: 21, threadId: 21 })),
			makeMail({
				id: 30,
				subject: 'Re: [PATCH proj v2 1/2] Part 1',
				text: 'Reviewed-by: Bob Builder <bob@forge.test>',
				parentId: 21,
				threadId: 21,
			}),
		);
		stubbed.answers.push('/v2.mbox');
		await assert.rejects(run('forge.patchsets.save', patchset(2)), isAbort);
		assert.deepEqual(stubbed.written, []);
		stubbed.answers.push('/v2.mbox', 'Reviewed-by: Bob Builder <bob@forge.test>');
		await run('forge.patchsets.save', patchset(2));
		const [[, text] = ['', '']] = stubbed.written;
		assert.equal(text.match(/^Reviewed-by: Bob Builder <bob@forge\.test>$/gm)?.length, 1);
		assert.ok(text.indexOf('Reviewed-by') < text.indexOf('Part 2'));
	});

	test('asks first if replies failed to load, because their trailers would be missing', async () => {
		const { world, run } = desk();
		world.before = (call) => {
			if (call.startsWith('thread ')) {
				throw new ForgeError({ kind: 'serverError', status: 503 });
			}
		};
		stubbed.answers.push('/v2.mbox');
		await assert.rejects(run('forge.patchsets.save', patchset(2)), isAbort);
		assert.deepEqual([stubbed.shown, stubbed.written], [['Not all replies could be read.'], []]);
		stubbed.answers.push('/v2.mbox', 'Save');
		await run('forge.patchsets.save', patchset(2));
		assert.equal(stubbed.written.length, 1);
	});

	test('saves an incomplete patchset and reports the missing patches', async () => {
		const { world, run } = desk();
		world.series.get(2)?.pop();
		stubbed.answers.push('/v2.mbox', 'Save');
		await run('forge.patchsets.save', patchset(2));
		assert.deepEqual(stubbed.shown, [
			'Patch 2 of 2 is missing.',
			`Saved /v2.mbox. Patch 2 of 2 is missing. ${untried}`,
		]);
	});

	test('includes parts that only the thread has', async () => {
		const { world, run } = desk();
		const [first, second] = world.series.get(2) ?? [];
		assert.ok(first && second);
		world.series.set(2, [first]);
		world.mails.push({ ...first, threadId: undefined }, { ...second, parentId: 21, threadId: 21, isPatch: false });
		stubbed.answers.push('/v2.mbox');
		await run('forge.patchsets.save', patchset(2));
		assert.deepEqual(stubbed.shown, [`Saved /v2.mbox. ${untried}`]);
		assert.deepEqual(stubbed.written.map(([, text]) => text.match(/^Subject: .*$/gm)).flat(), [
			'Subject: [PATCH proj v2 1/2] Part 1',
			'Subject: [PATCH proj v2 2/2] Part 2',
		]);
	});

	test('saves only the patchset’s own version', async () => {
		const { world, run } = desk();
		const older = [1, 2].map((at) =>
			makeMail({ id: 10 + at, subject: `[PATCH proj ${at}/2] Old ${at}`, isPatch: true, text: diffText }),
		);
		world.series.set(2, [...older, ...(world.series.get(2) ?? [])]);
		stubbed.answers.push('/v2.mbox');
		await run('forge.patchsets.save', patchset(2));
		assert.deepEqual(stubbed.shown, [`Saved /v2.mbox. ${untried}`]);
		assert.deepEqual(stubbed.written.map(([, text]) => text.match(/^Subject: .*$/gm)).flat(), [
			'Subject: [PATCH proj v2 1/2] Part 1',
			'Subject: [PATCH proj v2 2/2] Part 2',
		]);
	});

	for (const [place, command] of [
		[String.raw`c:\Users\al\v2.mbox`, "git am -3 'c:/Users/al/v2.mbox'"],
		[String.raw`c:\it's\v2.mbox`, undefined],
		['vscode-vfs://github/v2.mbox', undefined],
	] as const) {
		test(`offers a command only for a path that a shell can take: ${place}`, async () => {
			const { run } = desk();
			stubbed.answers.push(place, 'Copy git am Command');
			await run('forge.patchsets.save', patchset(2));
			await later();
			assert.deepEqual(stubbed.copied, command === undefined ? [] : [command]);
		});
	}

	test('asks before it saves or copies a patch that git reads differently than shown', async () => {
		const { world, run } = desk();
		const evil = Buffer.from(diffText.replace('+', '+live ')).toString('base64');
		const head = ['From: Bob <bob@forge.test>', 'Subject: [PATCH] Part'];
		const encodings = ['Content-Transfer-Encoding: 8bit', 'Content-Transfer-Encoding: base64'];
		const envelope = [...head, ...encodings, '', diffText, evil, ''].join('\r\n');
		world.series.set(2, [makeMail({ id: 21, subject: '[PATCH] Part', isPatch: true, envelope })]);
		stubbed.answers.push('/v2.mbox');
		await assert.rejects(run('forge.patchsets.save', patchset(2)), isAbort);
		await assert.rejects(run('forge.patchsets.copyCommand', patchset(2)), isAbort);
		assert.deepEqual([stubbed.written, stubbed.copied], [[], []]);
		assert.deepEqual(stubbed.shown, [
			'Git may apply something other than what is shown.',
			'Git may apply something other than what is shown.',
		]);
		stubbed.answers.push('/v2.mbox', 'Save');
		await run('forge.patchsets.save', patchset(2));
		stubbed.answers.push('Copy');
		await run('forge.patchsets.copyCommand', patchset(2));
		assert.deepEqual([stubbed.written.length, stubbed.copied.length], [1, 1]);
	});

	test('saves nothing when the user cancels', async () => {
		const { run } = desk();
		await assert.rejects(run('forge.patchsets.save', patchset(2)), isAbort);
		assert.deepEqual(stubbed.written, []);
	});

	test('copies a command that applies it', async () => {
		const { run } = desk();
		await run('forge.patchsets.copyCommand', patchset(2));
		assert.deepEqual(stubbed.copied, ['curl -s https://lists.forge.test/~alice/devel/patches/2/mbox | git am -3']);
	});

	for (const [title, bodies, command] of [
		['with CR LF on all lines of a message', ['all', 'none'], ' --quoted-cr=strip'],
		['with CRs in its files', ['content'], ''],
		['with both', ['all', 'content'], undefined],
	] as const) {
		test(`copies a command that keeps the bytes or offers a file, for a patchset ${title}`, async () => {
			const { world, run } = desk();
			const lines = diffText.replaceAll('\r\n', '\n');
			const texts = {
				all: lines.replaceAll('\n', '\r\n'),
				none: lines,
				content: lines.replaceAll(/^([+ -](?![+-]).*)$/gm, '$1\r'),
			};
			const head = 'From: Bob <bob@forge.test>\r\nContent-Transfer-Encoding: base64\r\nSubject: [PATCH]';
			const mails = bodies.map((body, at) =>
				makeMail({
					id: 21 + at,
					subject: `[PATCH v2 ${at + 1}/${bodies.length}] Part`,
					isPatch: true,
					envelope: `${head} v2 ${at + 1}/${bodies.length}] Part\r\n\r\n${Buffer.from(texts[body]).toString('base64')}\r\n`,
				}),
			);
			world.series.set(2, mails);
			stubbed.answers.push(...(command === undefined ? ['Save as .mbox…'] : []));
			await run('forge.patchsets.copyCommand', patchset(2));
			await later();
			const copied = `curl -s https://lists.forge.test/~alice/devel/patches/2/mbox | git am -3${command ?? ''}`;
			assert.deepEqual(stubbed.copied, command === undefined ? [] : [copied]);
			assert.deepEqual(stubbed.executed, command === undefined ? ['forge.patchsets.save'] : []);
		});
	}

	test('offers a file if the list is not public', async () => {
		const { world, run } = desk();
		world.lists[0] = makeList({ permissions: { nonsubscriber: [], subscriber: ['browse'], account: [] } });
		stubbed.answers.push('Save as .mbox…');
		await run('forge.patchsets.copyCommand', patchset(2));
		await later();
		assert.deepEqual([stubbed.copied, stubbed.executed], [[], ['forge.patchsets.save']]);
	});

	test('copies the Message-IDs of the selected messages, or asks for one', async () => {
		const { run } = desk();
		const mail = (id: number, messageId?: string): object => ({
			kind: 'mail',
			connectionKey,
			list: devel,
			id,
			messageId,
		});
		await run('forge.lists.copyMessageId', mail(1, '<one@x\r\n.te\u202Est>'), mail(2, '<two@x.test>'));
		stubbed.answers.push('2/2 Part 2');
		await run('forge.lists.copyMessageId', patchset(2));
		assert.deepEqual(stubbed.copied, ['<one@x.test>\n<two@x.test>', '<m22@forge.test>']);
	});
});

suite('linking versions manually', () => {
	setup(() => resetStub());

	test('links a chosen patchset, same sender first, and unlinks it again', async () => {
		const { world, connection, run } = desk();
		world.patchsets
			.get('~alice/devel')
			?.splice(1, 0, makePatchset({ id: 5, submitter: 'Carol <c@x.test>', subject: 'Hers' }));
		stubbed.answers.push('Set 3');
		await run('forge.patchsets.linkVersion', patchset(1));
		assert.deepEqual(
			stubbed.offered.map(({ label }) => label),
			['Set 3', 'Set 2', 'Hers'],
		);
		const linked = await connection.reviews.read({ list: devel, id: 1 }, never);
		assert.deepEqual(
			linked.versions.map((version) => [version.patchset.id, version.link]),
			[
				[1, undefined],
				[3, 'byHand'],
			],
		);
		stubbed.answers.push('Set 3');
		await run('forge.patchsets.unlinkVersion', patchset(1));
		const unlinked = await connection.reviews.read({ list: devel, id: 1 }, never);
		assert.deepEqual(
			unlinked.versions.map((version) => version.patchset.id),
			[1],
		);
		await assert.rejects(run('forge.patchsets.unlinkVersion', patchset(1)), isAbort);
		assert.equal(stubbed.shown.at(-1), 'No other version of "Set 1" is known.');
	});
});

suite('own lists', () => {
	setup(() => resetStub());

	test('need a valid new name and a description', async () => {
		const { world, run } = desk();
		stubbed.answers.push('a b');
		await assert.rejects(run('forge.lists.create'), isAbort);
		stubbed.answers.push('DEVEL');
		await assert.rejects(run('forge.lists.create'), isAbort);
		assert.deepEqual(stubbed.shown, [
			'Use letters from A to Z, digits, and the characters . _ - only.',
			'You already have a list with this name.',
		]);
		stubbed.answers.push('news', 'What is *new*');
		await run('forge.lists.create');
		assert.deepEqual(writes(world), ['create news']);
		assert.equal(stubbed.shown.at(-1), 'Created ~alice/news');
	});

	test('are checked after a lost response to the request that creates one', async () => {
		const fake = fakeLists();
		const create = fake.api.create.bind(fake.api);
		let isLost = true;
		fake.api.create = async (list, signal) => {
			await (isLost ? create(list, signal) : undefined);
			throw new ForgeError({ kind: 'serverError', status: 502 });
		};
		const { connection, run } = desk({ api: fake });
		stubbed.answers.push('news', '');
		await run('forge.lists.create');
		assert.equal(stubbed.shown.at(-1), 'Created ~alice/news');
		assert.ok(connection.lists.collection.known({ owner: '~alice', name: 'news' }));
		isLost = false;
		stubbed.answers.push('others', '');
		await assert.rejects(
			run('forge.lists.create'),
			(error) => isForgeError(error) && error.problem.kind === 'serverError',
		);
	});

	test('are deleted after the user types the full name', async () => {
		const { world, connection, run } = desk();
		const list = { kind: 'list', connectionKey, ref: devel };
		await connection.lists.own.first(never);
		stubbed.answers.push('Continue…', 'devel');
		await assert.rejects(run('forge.lists.delete', list), isAbort);
		assert.deepEqual(writes(world), []);
		stubbed.answers.push('Continue…', '~alice/devel');
		await run('forge.lists.delete', list);
		assert.deepEqual(writes(world), ['remove devel']);
		assert.equal(connection.lists.collection.known(devel), undefined);
		assert.equal(stubbed.shown.at(-1), 'Deleted ~alice/devel');
	});

	test('are deleted on the web if the server offers no API', async () => {
		const api = fakeLists();
		api.api.remove = () => Promise.reject(new ForgeError({ kind: 'notOffered' }));
		const { run } = desk({ api });
		stubbed.answers.push('Continue…', '~alice/devel', 'Open on the Web');
		await run('forge.lists.delete', { kind: 'list', connectionKey, ref: devel });
		await later();
		assert.equal(stubbed.shown.at(-1), 'On this forge, lists can only be deleted on the web.');
		assert.deepEqual(stubbed.executed, ['forge.openOnWeb']);
	});

	test('are kept when the forge rejects the deletion, with the reason', async () => {
		const api = fakeLists();
		api.api.remove = () => Promise.reject(new ForgeError({ kind: 'notAllowed' }));
		const { run } = desk({ api });
		stubbed.answers.push('Continue…', '~alice/devel');
		await assert.rejects(
			run('forge.lists.delete', { kind: 'list', connectionKey, ref: devel }),
			(error) => isForgeError(error) && error.problem.kind === 'notAllowed',
		);
	});

	test('are the only ones to edit or delete: a message names the owner of others', async () => {
		const { world, run } = desk();
		for (const command of ['forge.lists.delete', 'forge.lists.editDescription'] as const) {
			await assert.rejects(run(command, { kind: 'list', connectionKey, ref: bobs }), isAbort);
		}
		assert.deepEqual(stubbed.shown, Array(2).fill('Only ~bob, who owns this list, can do this.'));
		assert.deepEqual(writes(world), []);
	});
});
