import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { isAbort } from '@forge-desk/base/abort.ts';
import type { LabelMaking } from 'sourcehut/port/forge.ts';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import type { Label } from 'sourcehut/port/tracker.ts';
import type { TrackerSubject } from '../../../../../src/features/tickets/subjects/subjects.ts';
import type { TicketsContext } from '../../../../../src/features/tickets/context/ticketsContext.ts';
import { fake } from '../../../../support/fake.ts';
import { fakeConnection, fakeConnections, type ForgeConnection } from '../../../../support/fakeConnection.ts';
import { fakeTrackers } from '../../../../support/fakeForge.ts';
import { makeLabel, makeTicket, makeTracker, makeUser } from '../../../../support/makeTicket.ts';
import { resetStub, stubbed } from '../../../../support/vscodeValues.ts';

const { manageLabels } = await import('../../../../../src/features/tickets/manage/trackerCommands.ts');

const { showLabels } = await import('../../../../../src/features/tickets/manage/showLabels.ts');

const never = new AbortController().signal;
const alpha = { owner: '~alice', name: 'alpha' };

interface Bench {
	readonly connection: ForgeConnection;
	readonly run: (owner?: string) => Promise<void>;
	/** Labels on the forge: name, background and text color. */
	readonly labels: () => readonly string[];
	/** Labels of the ticket in this window's cache. */
	readonly onTicket: () => readonly string[] | undefined;
}

async function bench({ canMake = true, losesAnswers = false, isPart = false } = {}): Promise<Bench> {
	const { world, api: whole } = fakeTrackers();
	const api: typeof whole = isPart
		? {
				...whole,
				async *labels() {
					yield await Promise.resolve({ items: all(), seen: 2, completeness: { kind: 'more', total: 60 } });
				},
			}
		: whole;
	world.trackers.push(makeTracker(), makeTracker({ owner: makeUser('bob') }));
	world.labels.set('~alice/alpha', [makeLabel('bug', '#ff0000'), makeLabel('docs', '#00ff00')]);
	world.tickets.set('~alice/alpha', [makeTicket({ id: 1, labels: ['bug', 'docs'] }), makeTicket({ id: 2 })]);
	const all = (): Label[] => world.labels.get('~alice/alpha') ?? [];
	const answered = <T>(value: T): T => {
		if (losesAnswers) {
			throw new ForgeError({ kind: 'unreachable', reason: 'reset', host: 'x' });
		}
		return value;
	};
	const labelMaking: LabelMaking = {
		async create(_, { name, colors }) {
			const label = { ...makeLabel(name), colors };
			world.labels.set('~alice/alpha', [...all(), label]);
			return answered(label);
		},
		async change(_, name, change) {
			const now = all().map((each) => (each.name === name ? { ...each, ...change } : each));
			world.labels.set('~alice/alpha', now);
			return answered(now.find((each) => each.name === (change.name ?? name)) ?? makeLabel(name));
		},
		async remove(_, name) {
			world.labels.set(
				'~alice/alpha',
				all().filter((each) => each.name !== name),
			);
			return answered(undefined);
		},
	};
	const connection = fakeConnection(canMake ? { ...api, labelMaking } : api);
	await connection.tickets.tickets(alpha, never);
	const subject = (owner: string): TrackerSubject => ({
		kind: 'tracker',
		connectionKey: connection.key,
		ref: { owner, name: 'alpha' },
	});
	return {
		connection,
		run: (owner = '~alice') => manageLabels(fakeConnections(connection), subject(owner), never),
		labels: () => all().map(({ name, colors }) => `${name} ${colors.background} ${colors.text}`),
		onTicket: () => connection.tickets.knownTicket({ tracker: alpha, id: 1 })?.labels,
	};
}

suite('label management', () => {
	setup(resetStub);

	test('marks an incomplete list of labels and does not store it', async () => {
		for (const isPart of [false, true]) {
			resetStub();
			const on = await bench({ isPart });
			stubbed.answers.push(undefined, undefined);
			await assert.rejects(on.run(), isAbort);
			const subject: TrackerSubject = { kind: 'tracker', connectionKey: on.connection.key, ref: alpha };
			const desk = fake<TicketsContext>({ connections: fakeConnections(on.connection) });
			await assert.rejects(showLabels(desk, subject, never), isAbort);
			const note = 'The forge lists only some labels of ~alice/alpha.';
			assert.deepEqual(
				stubbed.hints.map((hint) => hint === note),
				[isPart, isPart],
			);
			assert.equal(on.connection.tickets.trackers.remembered().labels.length, isPart ? 0 : 1);
		}
	});

	test('creates a label in a named color with a readable text color', async () => {
		const on = await bench();
		stubbed.answers.push('Create Label…', 'urgent', 'Yellow');
		await on.run();
		assert.equal(on.labels().at(-1), 'urgent #fbca04 #000000');
		assert.ok(
			stubbed.offered.some(({ label, detail }) => label === 'Purple' && /^white text, contrast \d/.test(detail ?? '')),
		);
		assert.deepEqual(
			on.connection.tickets.trackers.knownLabels(alpha).map(({ name }) => name),
			['bug', 'docs', 'urgent'],
		);
	});

	test('accepts any color, and renames a label on its tickets', async () => {
		const on = await bench();
		stubbed.answers.push('bug', 'Change Color…', 'Other Color…', '1D76DB');
		await on.run();
		assert.equal(on.labels()[0], 'bug #1d76db #000000');
		stubbed.answers.push('bug', 'Rename…', 'defect');
		await on.run();
		assert.deepEqual([on.labels()[0], on.onTicket()], ['defect #1d76db #000000', ['defect', 'docs']]);
	});

	test('deleting states the number of tickets with the label, and removes it from them', async () => {
		const on = await bench();
		stubbed.answers.push('bug', 'Delete…', 'Delete Label');
		await on.run();
		assert.match(stubbed.details.at(-1) ?? '', /^It is removed from 1 loaded ticket,/);
		assert.deepEqual([on.labels().length, on.onTicket()], [1, ['docs']]);
		stubbed.answers.push('docs', 'Delete…', undefined);
		await on.run();
		assert.equal(on.labels().length, 1);
	});

	test('counts a change as done when the forge has it despite a lost response', async () => {
		const on = await bench({ losesAnswers: true });
		stubbed.answers.push('Create Label…', 'urgent', 'Blue');
		await on.run();
		stubbed.answers.push('docs', 'Rename…', 'guide');
		await on.run();
		stubbed.answers.push('bug', 'Delete…', 'Delete Label');
		await on.run();
		assert.deepEqual([on.labels().length, on.onTicket()], [2, ['guide']]);
	});

	test('refuses to change labels of others, and opens the web page when the API cannot change labels', async () => {
		const on = await bench();
		await on.run('~bob');
		assert.deepEqual(stubbed.shown, ['Only ~bob can change the labels of this tracker.']);
		const web = await bench({ canMake: false });
		await web.run();
		assert.deepEqual(stubbed.opened, ['https://todo.forge.test/~alice/alpha/labels']);
	});
});
