import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import { nextTurnBy } from '../../base/timeSlice.ts';
import type { Protocol } from '../../protocol/channel.ts';
import type { Connection, Connections } from '../../state/connection.ts';
import type { Problems } from '../ask/problems.ts';
import { pageAccount, type PageAccount } from './pageAccount.ts';
import type { PageLink } from './pageHost.ts';
import { pageTelling, type PageTelling, type TellingSlice } from './pageTelling.ts';

/** What a live page needs of the rest of the program. */
interface LivePageArea {
	readonly connections: Connections;
	readonly problems: Pick<Problems, 'log' | 'explain'>;
	readonly clock: Pick<Clock, 'after'>;
}

/** News that every live page takes. */
export interface LiveProtocol<Change> extends Protocol {
	readonly news: { readonly changed: Change };
}

/** The read mark of what a page shows. */
interface PageReadMark {
	/** The page came into view. */
	shown(): void;
	/** Somebody looks at the page, which shows all that is known. */
	look(): void;
}

/** What one live page is made with. */
export interface LivePageParts<Change> {
	readonly parts: LivePageArea;
	readonly subject: { readonly connectionKey: string };
	readonly link: PageLink<LiveProtocol<Change>>;
	/** Listens to what the page shows, until another connection is followed or the page is closed. */
	readonly watch: (connection: Connection) => Disposable;
	/** The account has come, or another connection stands for it now; `before` is the one that was followed. */
	readonly arrived: (connection: Connection, before: Connection | undefined) => void;
	/** Something has changed: the next slice is the first of a row. */
	readonly begin?: () => void;
	/** What the page does not know yet. */
	readonly next: () => TellingSlice<Change>;
	/** True for a page that is published to before it has asked for the first time. */
	readonly listensAtOnce?: boolean;
	readonly readMark?: PageReadMark;
}

/** A page that follows its account and whatever changes of what it shows, until it is closed. */
export interface LivePage<Change> extends PageAccount {
	/** Something may have changed: it is published. Resolves when everything so far is. */
	changed(): Promise<void>;
	/** What the page does not know yet; nothing once it is closed. */
	next(): TellingSlice<Change>;
	readonly publishing: PageTelling;
	/** Lets everybody else have a turn. */
	readonly pause: () => Promise<void>;
	/** A failure as a sentence. */
	readonly explain: (error: unknown) => string;
	readonly log: (error: unknown) => void;
}

/** What all pages do alike: they follow an account, publish what is different, and mark as read what somebody looks at. */
export function livePage<Change>({
	parts: { connections, problems, clock },
	subject: { connectionKey },
	link,
	watch,
	arrived,
	begin = () => undefined,
	next,
	listensAtOnce = false,
	readMark,
}: LivePageParts<Change>): LivePage<Change> {
	const pause = (): Promise<void> => nextTurnBy(clock);
	const log = (error: unknown): void => problems.log(error);
	const nextWhileOpen = (): TellingSlice<Change> =>
		link.signal.aborted ? { change: undefined, goesOn: false } : next();
	const publishing = pageTelling({
		begin,
		next: nextWhileOpen,
		tell: (change) => link.tell('changed', change),
		pause,
		told: look,
		failed: log,
		listensAtOnce,
	});
	const account = pageAccount({ connections, connectionKey, link, watch, arrived });

	function look(): void {
		if (readMark && publishing.isListening() && link.isWatched()) {
			readMark.look();
		}
	}

	if (readMark) {
		link.owned.add(link.onDidChangeWatched(look));
		link.owned.add(
			link.onDidShow(() => {
				readMark.shown();
				look();
			}),
		);
	}
	return {
		...account,
		changed: () => publishing.changed(),
		next: nextWhileOpen,
		publishing,
		pause,
		explain: (error) => problems.explain(error).message,
		log,
	};
}
