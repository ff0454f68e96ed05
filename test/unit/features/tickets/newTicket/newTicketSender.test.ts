import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { DraftDocuments } from '../../../../../src/features/tickets/drafts/draftDocuments.ts';
import type { TicketsContext } from '../../../../../src/features/tickets/context/ticketsContext.ts';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import type { TicketSubject } from '../../../../../src/features/tickets/subjects/subjects.ts';
import { fake } from '../../../../support/fake.ts';
import { fakeConnection, fakeConnections } from '../../../../support/fakeConnection.ts';
import { fakeTrackers, type FakeTrackers } from '../../../../support/fakeForge.ts';
import { quietProblems } from '../../../../support/fakeTicketsParts.ts';
import { standFor } from '../../../../support/standFor.ts';
import { makeTracker } from '../../../../support/makeTicket.ts';
import { resetStub, stubbed } from '../../../../support/vscodeValues.ts';

const { newTicketSender } = await import('../../../../../src/features/tickets/newTicket/newTicketFeature.ts');

const never = new AbortController().signal;
const about = {
	kind: 'newTicket',
	connectionKey: 'sample-alice',
	tracker: { owner: '~alice', name: 'alpha' },
	name: 'a1',
} as const;
const text = 'The wick smokes\n\nIt *smokes*.\n';

interface Bench extends FakeTrackers {
	readonly sender: ReturnType<typeof newTicketSender>;
	/** The current text, in an open document or in the draft. */
	readonly now: { text: string | undefined };
	readonly finished: () => number;
	readonly sent: () => number;
}

function bench(): Bench {
	const trackers = fakeTrackers();
	trackers.world.trackers.push(makeTracker());
	const now: Bench['now'] = { text };
	let finished = 0;
	const sender = newTicketSender(
		fake<TicketsContext>({ connections: fakeConnections(fakeConnection(trackers.api)), problems: quietProblems }),
		fake<DraftDocuments>({
			async finish() {
				finished += 1;
				now.text = undefined;
			},
			textOf: () => now.text,
		}),
		() => [],
		never,
	);
	return {
		...trackers,
		sender,
		now,
		finished: () => finished,
		sent: () => trackers.world.calls.filter((call) => call.startsWith('submit')).length,
	};
}

/** Lets the actions of notices run, since they outlast the command. */
async function someTurns(): Promise<void> {
	for (let turn = 0; turn < 40; turn += 1) {
		await new Promise((resolve) => void setImmediate(resolve));
	}
}

async function send({ sender }: Bench): Promise<void> {
	await sender(about, never);
	await someTurns();
}

/** Loses the next submission. Returns a function that presses a button of the notice. */
function loseNext({ world }: Bench): (button: string) => Promise<void> {
	const later = Promise.withResolvers<string>();
	stubbed.laterErrors.push(later.promise);
	world.before = (call) => {
		if (call.startsWith('submit')) {
			world.before = () => undefined;
			throw new ForgeError({ kind: 'unreachable', reason: 'reset', host: 'x' });
		}
	};
	return (button) => {
		later.resolve(button);
		return someTurns();
	};
}

suite('submitting a new ticket', () => {
	setup(resetStub);

	test('closes the document of a submitted ticket and opens its page', async () => {
		const on = bench();
		await send(on);
		const { ref } = standFor<TicketSubject>(stubbed.passed[0]);
		assert.deepEqual([on.finished(), stubbed.executed, ref.id, on.sent()], [1, ['forge.tickets.open'], 1, 1]);
	});

	test('a second press during the first creates no second ticket', async () => {
		const on = bench();
		await Promise.all([send(on), send(on)]);
		assert.equal(on.sent(), 1);
	});

	test('keeps text that the user typed during the submission', async () => {
		const on = bench();
		on.world.before = (call) => {
			if (call.startsWith('submit')) {
				on.now.text = `${text}And one thing more.\n`;
			}
		};
		await send(on);
		assert.deepEqual([on.finished(), on.sent()], [0, 1]);
		assert.match(stubbed.shown.at(-1) ?? '', /without what you typed since/);
	});

	test('after a lost response Submit Again sends the current text', async () => {
		const on = bench();
		const choose = loseNext(on);
		await send(on);
		assert.equal(on.finished(), 0);
		on.now.text = 'The wick smokes a lot\n';
		await choose('Submit Again');
		assert.deepEqual(
			on.world.tickets.get('~alice/alpha')?.map(({ title }) => title),
			['The wick smokes a lot'],
		);
	});

	test('an old notice sends nothing after another submission succeeded', async () => {
		const on = bench();
		const choose = loseNext(on);
		await send(on);
		await send(on);
		assert.deepEqual([on.sent(), on.finished()], [2, 1]);
		await choose('Submit Again');
		assert.equal(on.sent(), 2);
		assert.equal(on.world.tickets.get('~alice/alpha')?.length, 1);
		assert.match(stubbed.shown.at(-1) ?? '', /submitted or discarded/);
	});

	test('keeps the text and names the tracker when the tracker no longer exists', async () => {
		const on = bench();
		on.world.trackers.length = 0;
		await assert.rejects(send(on), { name: 'AbortError' });
		assert.match(stubbed.shown.at(-1) ?? '', /~alice\/alpha doesn't exist.*Your text is kept/);
		assert.equal(on.finished(), 0);
	});
});
