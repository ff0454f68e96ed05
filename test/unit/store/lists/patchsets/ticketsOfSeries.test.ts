import assert from 'node:assert/strict';
import type { Email, ShortEmail } from 'sourcehut/port/list.ts';
import { patchMailOf } from 'patchmail/series/patchMail.ts';
import { readFacts } from '../../../../../src/store/lists/patchsets/patchsetFacts.ts';
import type { MailTexts } from '../../../../../src/store/lists/listMailTexts.ts';
import type { ListStore } from '../../../../../src/store/lists/listStore.ts';
import type { Series } from '../../../../../src/store/lists/mailSummary.ts';
import type { PagedList } from '../../../../../src/store/shared/pagedList.ts';
import { fake } from '../../../../support/fake.ts';
import { fakeClock } from '../../../../support/fakeClock.ts';
import { makeMail } from '../../../../support/makeMail.ts';
import { makeReading, patchText } from '../../../../support/makeSeries.ts';
import { standFor } from '../../../../support/standFor.ts';

const origin = 'https://todo.forge.test';
const list = { owner: '~alice', name: 'devel' };

suite('tickets mentioned by a series', () => {
	test('appear once each, with a trailer if any message has one', async () => {
		const texts = new Map<number, string>([
			[1, `About ${origin}/~alice/alpha/7 and ${origin}/~alice/alpha/8.\n`],
			[2, patchText('a.c', `Why.\n\nFixes: ${origin}/~alice/alpha/7`)],
			[3, patchText('b.c', `See ${origin}/~alice/alpha/7 again.\n\nReferences: ${origin}/~alice/alpha/9`)],
		]);
		const subjects = ['[PATCH proj 0/2] all', '[PATCH proj 1/2] a', '[PATCH proj 2/2] b'];
		const mails = subjects.map((subject, at): Email =>
			makeMail({ id: at + 1, threadId: 1, parentId: at === 0 ? undefined : 1, subject }),
		);
		const [cover, ...patches] = mails;
		const read = new Map(
			mails.map((mail) => {
				const body = texts.get(mail.id) ?? '';
				return [mail.id, { mail, reading: makeReading({ body, text: body }) }];
			}),
		);
		const facts = await readFacts(
			{
				lists: fake<ListStore>({
					uncached: fake<ListStore['uncached']>({ hasWholeThreads: false }),
					series: async () => standFor<Series>({ cover, patches }),
					threadBefore: () => undefined,
					knownThread: () => undefined,
					joinedThreads: (_list, id) => [id],
					knownPatchset: () => undefined,
					posts: () =>
						fake<PagedList<ShortEmail>>({ first: async () => ({ items: [], completeness: { kind: 'complete' } }) }),
					thread: async () => standFor<Series['patches']>(mails),
				}),
				texts: fake<MailTexts>({
					readAll: async () => read,
					readPart: async (id) => standFor(read.get(id)),
					known: () => undefined,
					patchOf: ({ reading, subject }) => patchMailOf(reading, subject),
				}),
				todoOrigins: [origin],
				clock: fakeClock(),
			},
			{ list, id: 3 },
			1,
			undefined,
			new AbortController().signal,
		);
		assert.deepEqual(
			facts.tickets.map(({ id, trailer, mailId }) => [id, trailer, mailId]),
			[
				[7, 'Fixes', 2],
				[8, undefined, 1],
				[9, 'References', 3],
			],
		);
	});
});
