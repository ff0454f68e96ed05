import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { PageHost } from '../../../../../src/editor/pages/pageHost.ts';
import type { TicketsContext } from '../../../../../src/features/tickets/context/ticketsContext.ts';
import { isAbort } from '@forge-desk/base/abort.ts';
import { ForgeError, type Problem } from 'sourcehut/port/forgeError.ts';
import type { CommandTable } from '../../../../../src/editor/commands/feature.ts';
import type { NewTracker } from 'sourcehut/port/tracker.ts';
import { fake } from '../../../../support/fake.ts';
import { fakeConnection, fakeConnections } from '../../../../support/fakeConnection.ts';
import { fakeTrackers, type FakeTrackers } from '../../../../support/fakeForge.ts';
import { makeTracker } from '../../../../support/makeTicket.ts';
import { resetStub, stubbed } from '../../../../support/vscodeValues.ts';

const { trackerCommands } = await import('../../../../../src/features/tickets/manage/trackerCommands.ts');
const { deleteOwned } = await import('../../../../../src/editor/owned/askOwned.ts');
const { trackerKind } = await import('../../../../../src/features/tickets/subjects/trackerKind.ts');

const never = new AbortController().signal;
const lost: Problem = { kind: 'unreachable', reason: 'reset', host: 'todo.forge.test' };
const tracker = { owner: '~alice', name: 'my_tool' };

/** Servers treat `_` in a name as a wildcard when they look it up (docs/protocol.md#tracker-look-up). */
function world(...names: readonly string[]): FakeTrackers {
	const fake = fakeTrackers();
	fake.world.trackers.push(...names.map((name) => makeTracker({ name })));
	Object.assign(fake.api, {
		tracker: async ({ name }: { readonly name: string }) => {
			const pattern = new RegExp(`^${name.replaceAll('_', '.')}$`, 'i');
			const found = fake.world.trackers.find((each) => pattern.test(each.name));
			if (!found) {
				throw new ForgeError({ kind: 'notFound' });
			}
			return found;
		},
	});
	return fake;
}

function commandsOf(api: FakeTrackers['api'], inFront?: unknown): CommandTable {
	const nothing = (): Promise<never> => Promise.reject(new Error('Not asked for'));
	return trackerCommands(
		fake<TicketsContext>({
			connections: fakeConnections(fakeConnection(api)),
			pages: fake<PageHost>({ inFront: () => inFront }),
		}),
		{ edit: nothing, save: nothing, firstText: nothing, dispose: () => undefined },
	);
}

function commandOf(api: FakeTrackers['api']): () => Promise<void> {
	const commands = commandsOf(api);
	return async () => commands['forge.trackers.create']?.(undefined, never, []);
}

suite('tracker management', () => {
	setup(resetStub);

	test('manages labels in the tracker of the row, of its ticket, or of the ticket page in front', async () => {
		const { api } = world('alpha', 'beta');
		const ref = { owner: '~alice', name: 'alpha' };
		const tracker = { kind: 'tracker', connectionKey: 'sample-alice', ref };
		const ticket = { kind: 'ticket', connectionKey: 'sample-alice', ref: { tracker: ref, id: 1 } };
		for (const [subject, inFront] of [
			[tracker, undefined],
			[ticket, undefined],
			[undefined, ticket],
		]) {
			resetStub();
			await commandsOf(api, inFront)['forge.trackers.manageLabels']?.(subject, never, []);
			assert.deepEqual(stubbed.opened, ['https://todo.forge.test/~alice/alpha/labels']);
			assert.deepEqual(stubbed.asked, []);
		}
	});

	test('a tracker counts as created after a lost response only under its exact name', async () => {
		const { api } = world('my-tool');
		Object.assign(api, { create: () => Promise.reject(new ForgeError(lost)) });
		stubbed.answers.push('my_tool', '');
		await assert.rejects(commandOf(api)(), { name: 'ForgeError' });
		const there = world();
		Object.assign(there.api, {
			create: async ({ name }: NewTracker) => {
				there.world.trackers.push(makeTracker({ name }));
				throw new ForgeError(lost);
			},
		});
		stubbed.answers.push('my_tool', '');
		await commandOf(there.api)();
		assert.equal(stubbed.shown.at(-1), 'Created ~alice/my_tool');
	});

	test('asks for the visibility only when the forge requires it, and keeps the name', async () => {
		const { api } = world();
		const sent: unknown[] = [];
		Object.assign(api, {
			create: async (wanted: NewTracker) => {
				sent.push(wanted);
				if (wanted.visibility === undefined) {
					throw new ForgeError({ kind: 'invalid', errors: [{ field: 'visibility', reason: 'Required' }] });
				}
				return makeTracker({ name: wanted.name });
			},
		});
		stubbed.answers.push('tool', '', 'Unlisted');
		await commandOf(api)();
		assert.deepEqual(sent, [{ name: 'tool' }, { name: 'tool', visibility: 'unlisted' }]);
		assert.equal(stubbed.asked.at(-1), 'Who can see the tracker?');
		assert.deepEqual(
			stubbed.offered.map(({ label, description }) => [label, description]),
			[
				['Public', undefined],
				['Unlisted', undefined],
				['Private', undefined],
			],
		);
	});

	test('prefills earlier input: immediately after a rejection, else at the next attempt', async () => {
		const { api } = world();
		const sent: NewTracker[] = [];
		const problems: Problem[] = [
			{ kind: 'invalid', errors: [{ field: 'name', reason: 'This name is reserved' }] },
			{ kind: 'invalid', errors: [{ field: 'visibility', reason: 'Required' }] },
			{ kind: 'serverError', status: 503 },
		];
		Object.assign(api, {
			create: async (wanted: NewTracker) => {
				sent.push(wanted);
				const problem = problems.shift();
				if (problem) {
					throw new ForgeError(problem);
				}
				return makeTracker({ name: wanted.name });
			},
		});
		const create = commandOf(api);
		stubbed.answers.push('admin', 'A *tool*', 'tool', 'A *tool*', 'Private');
		await assert.rejects(create(), { name: 'ForgeError' });
		assert.deepEqual(stubbed.prefilled, ['', '', 'admin', 'A *tool*']);
		assert.match(stubbed.prompts[2] ?? '', /This name is reserved/);
		stubbed.prefilled.length = 0;
		stubbed.answers.push('tool', 'Private', 'A *tool*');
		await create();
		assert.deepEqual(stubbed.prefilled, ['tool', 'A *tool*']);
		// Pressing Enter again must not make a private tracker public.
		assert.deepEqual([stubbed.offered[0]?.label, stubbed.offered[0]?.description], ['Private', 'previous choice']);
		const described = { name: 'tool', description: 'A *tool*' };
		assert.deepEqual(sent.slice(1), [
			described,
			{ ...described, visibility: 'private' },
			{ ...described, visibility: 'private' },
		]);
		stubbed.prefilled.length = 0;
		stubbed.answers.push(undefined);
		await assert.rejects(create(), isAbort);
		assert.deepEqual(stubbed.prefilled, ['']);
	});

	test('a tracker counts as deleted when only a similar name exists', async () => {
		const { api } = world('my-tool');
		Object.assign(api, { remove: () => Promise.reject(new ForgeError(lost)) });
		stubbed.answers.push('Continue…', '~alice/my_tool');
		await deleteOwned(trackerKind, fakeConnection(api), tracker, never);
		assert.equal(stubbed.shown.at(-1), 'Deleted ~alice/my_tool');
		const there = world('my_tool');
		Object.assign(there.api, { remove: () => Promise.reject(new ForgeError(lost)) });
		stubbed.answers.push('Continue…', '~alice/my_tool');
		await assert.rejects(deleteOwned(trackerKind, fakeConnection(there.api), tracker, never), { name: 'ForgeError' });
	});
});
