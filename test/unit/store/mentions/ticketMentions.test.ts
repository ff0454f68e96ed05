import assert from 'node:assert/strict';
import { TicketMentions, type TicketMention } from '../../../../src/store/mentions/ticketMentions.ts';
import { mentionReader } from '../../../../src/store/mentions/mentionReader.ts';
import type { MailTexts, ReadText } from '../../../../src/store/lists/listMailTexts.ts';
import { Emitter } from '@forge-desk/base/event.ts';
import { fake } from '../../../support/fake.ts';
import { makeMail } from '../../../support/makeMail.ts';
import { makeReading } from '../../../support/makeSeries.ts';
import { makeUser } from '../../../support/makeTicket.ts';

const ticket = { tracker: { owner: '~alice', name: 'tasks' }, id: 4 };

function mention(change: Partial<TicketMention> = {}): TicketMention {
	return {
		ticket,
		list: { owner: '~alice', name: 'devel' },
		mailId: 1,
		patchsetId: undefined,
		subject: 'A patch',
		trailer: undefined,
		...change,
	};
}

suite('ticket mentions', () => {
	test('are sorted by newest message, unique and reported once', () => {
		const book = new TicketMentions();
		const heard: unknown[] = [];
		book.onDidChange((about) => heard.push(about));
		book.add([mention(), mention({ mailId: 3 }), mention({ mailId: 2 })]);
		book.add([mention()]);
		assert.deepEqual(
			book.of({ ...ticket, tracker: { owner: '~Alice', name: 'Tasks' } }).map(({ mailId }) => mailId),
			[3, 2, 1],
		);
		assert.deepEqual(heard, [ticket]);
		assert.deepEqual(book.of({ ...ticket, id: 5 }), []);
	});

	test('combine details of two readings in any order', () => {
		const bare = mention();
		const full = mention({ patchsetId: 7, trailer: 'Fixes' });
		for (const order of [
			[bare, full],
			[full, bare],
		]) {
			const book = new TicketMentions();
			order.forEach((each) => book.add([each]));
			assert.deepEqual(book.of(ticket), [full]);
		}
	});

	test('include the own text of each loaded message, by full name and URL only', () => {
		const read = new Emitter<number>();
		const book = new TicketMentions();
		const list = { name: 'devel', owner: makeUser('alice') };
		const text = [
			'Compare ~alice/tasks#4 and https://todo.forge.test/~bob/bugs/7, not #9 and tasks#8.',
			'> ~alice/tasks#6',
			'https://todo.elsewhere.test/~bob/bugs/8',
			'',
			'Fixes: https://todo.forge.test/~alice/tasks/5',
		].join('\n');
		const known = new Map<number, ReadText>([
			[1, { mail: makeMail({ id: 1, list, patchsetId: 3 }), reading: makeReading({ body: text }) }],
			[2, { mail: makeMail({ id: 2, list }), reading: { kind: 'raw', reason: 'tooLarge', text } }],
			[3, { mail: makeMail({ id: 3 }), reading: makeReading({ body: text }) }],
		]);
		const reader = mentionReader(fake<MailTexts>({ known: (id) => known.get(id), onDidRead: read.event }), book, [
			'https://todo.forge.test',
		]);
		const named: string[] = [];
		book.onDidChange(({ tracker, id }) => named.push(`${tracker.owner}/${tracker.name}#${id}`));
		[1, 2, 3, 4].forEach((id) => read.fire(id));
		assert.deepEqual(new Set(named), new Set(['~alice/tasks#4', '~bob/bugs#7', '~alice/tasks#5']));
		const of = (owner: string, name: string, id: number): readonly TicketMention[] =>
			book.of({ tracker: { owner, name }, id });
		assert.deepEqual(of('~alice', 'tasks', 4), [mention({ patchsetId: 3, subject: 'Welcome' })]);
		assert.equal(of('~bob', 'bugs', 7).length, 1);
		assert.equal(of('~alice', 'tasks', 5)[0]?.trailer, 'Fixes');
		assert.deepEqual([of('~alice', 'tasks', 6), of('~bob', 'bugs', 8), of('~alice', 'tasks', 8)], [[], [], []]);
		reader.dispose();
		known.set(1, { mail: makeMail({ id: 9, list }), reading: makeReading({ body: text }) });
		read.fire(1);
		assert.equal(of('~alice', 'tasks', 4).length, 1);
	});
});
