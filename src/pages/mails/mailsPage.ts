import type { HostLink } from '../hostLink.ts';
import type { PeopleContext } from '../mailPeople.ts';
import type { MailsRequests, MailsStrings } from '../protocol/mailsProtocol.ts';
import type { Protocol } from '../protocol/pageProtocol.ts';
import type { Times } from '../times.ts';

/** The messages that every page with mails has. */
interface MailsProtocol extends Protocol {
	readonly requests: MailsRequests;
}

/** Shared by all mails of a page. */
export interface MailsPage {
	readonly strings: MailsStrings;
	/** BCP 47 tag. */
	readonly locale: string;
	readonly times: Times;
	readonly link: HostLink<MailsProtocol>;
	/** Announces `text` on success, or shows the error. */
	readonly done: (asked: Promise<unknown>, text?: string) => void;
	readonly areQuotesOpen: () => boolean;
	/** Goes to a patch that the page shows outside its mails. */
	readonly showPatch: (mail: number) => void;
	/** Place of the reply box for a mail that the page shows elsewhere. */
	readonly slotElsewhere: (mail: number) => HTMLElement | undefined;
	/** Actions below each mail besides those of all pages. */
	readonly moreActions: readonly { readonly text: string; readonly run: () => void }[];
}

export function peopleOf({ strings, link, done }: MailsPage): PeopleContext {
	return { strings: strings.mail, openPerson: (name) => done(link.ask('openPerson', name)) };
}
