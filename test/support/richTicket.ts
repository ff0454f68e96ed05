import type { TicketEvent } from 'sourcehut/port/ticket.ts';
import type { TicketSubject } from '../../src/features/tickets/subjects/subjects.ts';
import type { KeptTimelines } from '../../src/store/tickets/savedTickets.ts';
import { TicketStore } from '../../src/store/tickets/ticketStore.ts';
import { fakeClock } from './fakeClock.ts';
import {
	fakeConnection,
	fakeConnections,
	keptNames,
	type FakeConnections,
	type ForgeConnection,
} from './fakeConnection.ts';
import { fakeTrackers, type FakeTrackerWorld } from './fakeForge.ts';
import {
	makeComment,
	makeEvent,
	makeLabel,
	makeParticipant,
	makeTicket,
	makeTracker,
	makeUser,
	someTimeMs,
	shortTicket,
} from './makeTicket.ts';

const hourMs = 3_600_000;

/**
 * A ticket with every feature of a page: all nine kinds of events, every kind of participant, rich Markdown. `disk`:
 * persistent storage, if any.
 */
export function richTicket(disk?: KeptTimelines): {
	readonly world: FakeTrackerWorld;
	readonly connections: FakeConnections<ForgeConnection>;
	readonly subject: TicketSubject;
} {
	const { world, api } = fakeTrackers();
	const tracker = makeTracker();
	const other = makeTicket({ id: 7, title: 'Empty lines in headers', tracker: makeTracker({ name: 'beta' }) });
	const ticket = makeTicket({
		title: 'The parser stops at the first empty line of a folded header',
		labels: ['bug', 'good first ticket', 'parser', 'docs'],
		assignees: [makeUser('alice'), makeUser('carol')],
		description: description(),
	});
	const emailed = { kind: 'email', address: 'dave@example.test', name: 'Dave Dent' } as const;
	const external = { kind: 'external', externalId: 'hub:erin', externalUrl: 'https://hub.example.test/erin' } as const;
	const history: readonly Partial<TicketEvent>[] = [
		{ kinds: ['created'] },
		{ kinds: ['label_added'], labels: ['bug'], user: makeParticipant('alice') },
		{ kinds: ['label_added'], labels: ['parser', 'docs'], user: makeParticipant('alice') },
		{ kinds: ['assigned_user'], user: makeParticipant('carol'), byUser: makeParticipant('alice') },
		{ kinds: ['comment'], user: emailed, comment: makeComment(quote(), { submitter: emailed }) },
		{ kinds: ['unassigned_user'], user: makeParticipant('carol'), byUser: makeParticipant('carol') },
		{
			kinds: ['ticket_mentioned'],
			user: undefined,
			byUser: makeParticipant('bob'),
			ticket: shortTicket(ticket),
			fromTicket: shortTicket(other),
		},
		{
			kinds: ['user_mentioned'],
			user: makeParticipant('carol'),
			byUser: makeParticipant('alice'),
			fromTicket: shortTicket(other),
		},
		{ kinds: ['status_change'], user: makeParticipant('carol'), oldStatus: 'reported', newStatus: 'in_progress' },
		{
			kinds: ['comment'],
			user: external,
			comment: makeComment('Seen on the other forge as well.', { submitter: external }),
		},
		{ kinds: ['label_removed'], labels: ['docs'], user: makeParticipant('alice') },
		{
			kinds: ['comment', 'status_change'],
			user: makeParticipant('alice'),
			oldStatus: 'in_progress',
			newStatus: 'resolved',
			newResolution: 'fixed',
			comment: makeComment('Fixed in `a1b2c3d`, see ~alice/alpha#3.', { submitter: makeParticipant('alice') }),
		},
		{ kinds: ['status_change'], user: makeParticipant('bob'), oldStatus: 'resolved', newStatus: 'reported' },
		{ kinds: ['other:milestone_set'], user: makeParticipant('alice') },
		{
			kinds: ['comment'],
			comment: makeComment('It still stops on `\\r\\n`. Look at ~carol’s log:\n\n```diff\n- old line\n+ new line\n```'),
		},
	];
	world.trackers.push(tracker);
	world.tickets.set('~alice/alpha', [ticket]);
	world.labels.set('~alice/alpha', [
		makeLabel('bug', '#d73a4a', '#ffffff'),
		makeLabel('good first ticket', '#7057ff', '#ffffff'),
		makeLabel('parser', '#fbca04', '#ffffff'),
		makeLabel('docs', '#0075ca', '#ffffff'),
	]);
	world.events.set(
		'~alice/alpha#12',
		history.map((event, at) => makeEvent({ id: at + 1, createdMs: someTimeMs + at * hourMs, ...event })).toReversed(),
	);
	const connection = fakeConnection(api);
	if (disk) {
		const kept = { followed: keptNames(), disk };
		const tickets = new TicketStore({ api, me: connection.me, clock: fakeClock(), ...kept });
		Object.defineProperty(connection, 'tickets', { value: tickets });
	}
	const connections = fakeConnections(connection);
	const subject = {
		kind: 'ticket',
		connectionKey: 'sample-alice',
		ref: { tracker: { owner: '~alice', name: 'alpha' }, id: 12 },
	} as const;
	return { world, connections, subject };
}

function description(): string {
	return `A header that is **folded** over an empty line ends the whole parse.

## How to see it

1. Run \`parse --strict mail.eml\`
2. Look at the *last* header

- [x] reproduced on Linux
- [ ] reproduced elsewhere
- seen by two people

\`\`\`c
/* Reads one header. */
int read_header(struct reader *r) {
	if (r->line[0] == '\\0')
		return 0; // too early
	return fold(r, "header", 42);
}
\`\`\`

| version | result |
|:--|--:|
| 1.0 | stops |
| 1.1 | stops |

See https://example.test/rfc?section=2&x=1, #3 and ~carol. ![screenshot](https://pictures.test/shot.png)`;
}

function quote(): string {
	return `> It should read on.

I agree. The RFC says so in [section 2.2.3](https://example.test/rfc#2.2.3), and hidden \u202Etxet\u202C too.`;
}
