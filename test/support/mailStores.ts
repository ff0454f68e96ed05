import type { Clock } from '@forge-desk/base/clock.ts';
import type { Forge } from 'sourcehut/port/forge.ts';
import type { MailReader } from 'patchmail/mail/mailReader.ts';
import type { Connection } from '../../src/store/connection.ts';
import { snoozes } from '../../src/store/lists/patchsets/snoozes.ts';
import { keptListChoices } from '../../src/store/lists/keptListChoices.ts';
import { textInMemory, type KeptText } from '../../src/store/shared/keptText.ts';
import { viewedMarks } from '../../src/store/readMarks/viewedMarks.ts';
import { storedListReadMarks } from '../../src/store/readMarks/storedReadMarks.ts';
import { knownPeople } from '../../src/store/people/knownPeople.ts';
import { listMailTexts } from '../../src/store/lists/listMailTexts.ts';
import { listReviews } from '../../src/store/lists/patchsets/listReviews.ts';
import type { ListStore } from '../../src/store/lists/listStore.ts';
import { TicketMentions } from '../../src/store/mentions/ticketMentions.ts';
import { mentionReader } from '../../src/store/mentions/mentionReader.ts';
import { fakeClock } from './fakeClock.ts';
import { keptInMemory } from './keptInMemory.ts';

/** Reads mails on this thread, with the real parser. */
export const readerHere: MailReader = {
	readMail: async (envelope, options) => await (await import('../../src/mailParser.ts')).readMail(envelope, options),
	attachment: async (envelope, index) => (await import('patchmail/mail/readMail.ts')).mailAttachment(envelope, index),
};

/** As in the test's sample instance. */
const todoOrigins = ['https://todo.forge.test'];

/** Parts of the stores over a test's lists; all except the lists and the forge have fakes. */
export interface MailStoresParts {
	readonly lists: ListStore;
	readonly forge: Forge;
	readonly reader?: MailReader;
	readonly clock?: Clock;
	/** Storage of version corrections. */
	readonly links?: KeptText;
}

/** The mail part of a connection, built as in the application. */
export type MailStores = Pick<
	Connection,
	| 'texts'
	| 'reviews'
	| 'mentions'
	| 'threadReadMarks'
	| 'patchsetReadMarks'
	| 'viewed'
	| 'listChoices'
	| 'snoozes'
	| 'people'
>;

/** The real stores over a test's lists. */
export function mailStores({
	lists,
	forge,
	reader = readerHere,
	clock = fakeClock(),
	links = keptInMemory(),
}: MailStoresParts): MailStores {
	const texts = listMailTexts(lists, reader, clock);
	const mentions = new TicketMentions();
	mentionReader(texts, mentions, todoOrigins);
	return {
		texts,
		reviews: listReviews({ lists, texts, mentions, links, samePeople: keptInMemory(), todoOrigins, clock }),
		mentions,
		threadReadMarks: storedListReadMarks(keptInMemory(), clock),
		patchsetReadMarks: storedListReadMarks(keptInMemory(), clock),
		viewed: viewedMarks(keptInMemory()),
		listChoices: keptListChoices(keptInMemory()),
		snoozes: snoozes(keptInMemory(), clock),
		people: knownPeople(forge, lists, texts, textInMemory()),
	};
}
