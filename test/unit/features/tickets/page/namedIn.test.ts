import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { ForgeError, isForgeError } from 'sourcehut/port/forgeError.ts';
import type { TicketMention } from '../../../../../src/store/mentions/ticketMentions.ts';
import { fakeClock } from '../../../../support/fakeClock.ts';
import { peopleWorld } from '../../../../support/fakePeople.ts';
import { pausing } from '../../../../support/pageInBrowser.ts';
import { resetStub, stubbed } from '../../../../support/vscodeValues.ts';

const { lookForNamings, namedInViews, openNamedIn } =
	await import('../../../../../src/features/tickets/page/namedIn.ts');

const { signal: never } = new AbortController();
const ticket = { tracker: { owner: '~bob', name: 'parser' }, id: 7 };
const list = { owner: '~alice', name: 'devel' };

function mention(change: Partial<TicketMention>): TicketMention {
	return { ticket, list, mailId: 11, patchsetId: undefined, subject: 'Which lathe?', trailer: undefined, ...change };
}

setup(resetStub);

suite('mentions of a ticket', () => {
	test('list a patchset once, with its trailer, and show hidden characters', () => {
		const { connection } = peopleWorld(fakeClock());
		connection.mentions.add([
			mention({ mailId: 11, patchsetId: 1, subject: '[PATCH proj v2 1/2] Turn \u202Eit', trailer: 'Fixes' }),
			mention({ mailId: 12, patchsetId: 1, subject: '[PATCH proj v2 1/2] Turn \u202Eit' }),
			mention({ mailId: 13 }),
		]);
		assert.deepEqual(
			namedInViews(connection, ticket).map(({ kind, title, version, list: on, trailer }) => [
				kind,
				title,
				version,
				on,
				trailer,
			]),
			[
				['mail', 'Which lathe?', '', '~alice/devel', undefined],
				['patchset', 'Turn ⟨U+202E⟩it', 'v2', '~alice/devel', 'Fixes'],
			],
		);
	});

	test('open the patchset or the message in its thread, and ignore unknown keys', async () => {
		const { connection } = peopleWorld(fakeClock());
		connection.mentions.add([mention({ mailId: 11, patchsetId: 1 }), mention({ mailId: 13 })]);
		for (const { key } of namedInViews(connection, ticket)) {
			await openNamedIn(connection, ticket, key);
		}
		await openNamedIn(connection, ticket, 'mail 99');
		const connectionKey = connection.key;
		assert.deepEqual(stubbed.executed, ['forge.lists.openThread', 'forge.patchsets.open']);
		assert.deepEqual(stubbed.passed, [
			{ kind: 'mail', connectionKey, list, id: 13, messageId: undefined },
			{ kind: 'patchset', connectionKey, ref: { list, id: 1 } },
		]);
	});

	test('search the lists, and count only messages that really name the ticket', async () => {
		const { connection, lists } = peopleWorld(pausing(fakeClock()));
		const [first, second] = lists.mails;
		const short = first?.list;
		assert.ok(first && second && short);
		const naming = (id: number, text: string) => ({
			...second,
			id,
			list: short,
			subject: `Mail ${id}`,
			envelope: `From: Bob <bob@forge.test>\r\nSubject: Mail ${id}\r\n\r\n${text}\r\n`,
		});
		const mails = [
			naming(50, 'See ~bob/parser#7.'),
			naming(51, 'See ~bob/parser#71.'),
			naming(52, 'At https://todo.forge.test/~bob/parser/7'),
		];
		lists.mails.push(...mails);
		lists.posts.set('~alice/devel', mails);
		const searched: string[] = [];
		connection.forge.lists.search = async function* (_, terms) {
			searched.push(terms);
			yield { items: mails, seen: 3, completeness: { kind: 'complete' } };
		};
		await lookForNamings(connection, ticket, never);
		assert.deepEqual(searched, ['"bob/parser#7"', '"bob/parser/7"']);
		assert.deepEqual(
			namedInViews(connection, ticket).map(({ title }) => title),
			['Mail 52', 'Mail 50'],
		);
	});

	test('report a failed search only when no mention is known', async () => {
		const { connection } = peopleWorld(pausing(fakeClock()));
		// oxlint-disable-next-line require-yield -- it fails before there is anything
		connection.forge.lists.search = async function* () {
			throw new ForgeError({ kind: 'serverError', status: 502 });
		};
		await assert.rejects(lookForNamings(connection, ticket, never), ForgeError);
		connection.mentions.add([mention({})]);
		await lookForNamings(connection, ticket, never);
	});

	test('report a forge without search, unless a read message names the ticket', async () => {
		const { connection } = peopleWorld(pausing(fakeClock()));
		Reflect.deleteProperty(connection.forge.lists, 'search');
		const saysSo = (error: unknown): boolean => isForgeError(error) && error.problem.kind === 'notOffered';
		await assert.rejects(lookForNamings(connection, ticket, never), saysSo);
		connection.mentions.add([mention({})]);
		await lookForNamings(connection, ticket, never);
	});
});
