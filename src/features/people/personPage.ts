import * as vscode from 'vscode';
import { Disposables } from '@forge-desk/base/lifecycle.ts';
import { openDestination, openExactly } from '../../editor/links/openDestination.ts';
import type { PageContent, PageLink } from '../../editor/pages/pageHost.ts';
import { piecePage, type IfNew, type PiecePage } from '../../editor/pages/livePage.ts';
import type { PageRenderer } from '../../editor/pages/pageRenderer.ts';
import { followLink, withNotice } from '../../editor/links/pageRequests.ts';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import { refOfList } from 'sourcehut/port/list.ts';
import { action, handler, nothing, type Handlers, type PieceStart } from '../../pages/protocol/pageProtocol.ts';
import {
	personSection,
	rowName,
	personStrings,
	personSections,
	type PersonProtocol,
	type PersonPageStart,
	type PersonPageStrings,
	type RowName,
	type PersonChange,
	type PersonHeadView,
	type PersonSection,
	type SectionView,
} from '../../pages/protocol/personProtocol.ts';
import type { Connection } from '../../store/connection.ts';
import type { Person, SentPatchsets } from '../../store/people/person.ts';
import { visibleLine } from '../../engine/text/visible.ts';
import { headView, itemsOf, listingView, namedListings, refAt, type ShownPerson, isOneself } from './personViews.ts';
import type { PeopleContext } from './peopleContext.ts';
import { sentView, keyOfSent, openOnes } from './sentView.ts';
import type { PersonSubject } from './subjects.ts';

import { isAbort } from '@forge-desk/base/abort.ts';
import type { Problems } from '../../editor/ask/problems.ts';
import type { OwnerName } from 'sourcehut/port/user.ts';
import { webOf, webAddress } from '../../editor/links/webOf.ts';

/** The page of one person. */
export function personPage(
	parts: PeopleContext,
	subject: PersonSubject,
	renderer: PageRenderer,
	section: PersonSection | undefined,
): PageContent<PersonProtocol> {
	const name = Array.from(visibleLine(subject.name));
	return {
		type: 'forge.person',
		key: `${subject.connectionKey} ${subject.name.toLowerCase()}`,
		title: name.length > 40 ? `${name.slice(0, 39).join('')}…` : name.join(''),
		icon: 'person',
		subject,
		script: 'person.js',
		styles: ['page.css', 'rows.css', 'personPage.css'],
		keptOpenBy: ['follow'],
		connect(link) {
			const page = new OpenPerson(parts, { subject, link, renderer, section });
			const { pieces } = page;
			const webLink = (): string => webAddress(pieces.connection().instance, { kind: 'person', name: subject.name });
			const handlers: Handlers<PersonProtocol> = {
				...pieces.handlers,
				load: handler(nothing, async () => page.start()),
				more: action(personSection, (wanted) => page.reading.more(pieces.connection(), wanted)),
				open: action(rowName, (row) => withNotice(parts.problems, () => openRow(page.world(), row, link.signal))),
				// Adds it to the account's views after the forge confirms that it exists.
				keep: action(rowName, async ({ section: listing, key }) => {
					if (listing !== 'patchsets' && listing !== 'mails') {
						const { connection, person } = page.world();
						const ref = refAt(listing, person, key);
						await (ref && namedListings[listing].follow(connection, ref, link.signal));
					}
					void pieces.changed();
				}),
				follow: followLink(parts, subject.connectionKey, webLink, link.signal),
				copyName: action(nothing, () => vscode.env.clipboard.writeText(page.world().person?.account ?? subject.name)),
				openOnWeb: action(nothing, () => openExactly(webLink())),
			};
			return { handlers, start: page.open() };
		},
	};
}

interface PersonMaking {
	readonly subject: PersonSubject;
	readonly link: PageLink<PersonProtocol>;
	readonly renderer: PageRenderer;
	/** Requested section. */
	readonly section: PersonSection | undefined;
}

/** An open page of a person. Shows known data at once and sends later changes. */
class OpenPerson {
	readonly #making: PersonMaking;
	readonly pieces: PiecePage<PersonPageStrings, PersonChange>;
	readonly reading: PersonReading;
	#html: ((markdown: string) => string) | undefined;
	#section: PersonSection | undefined;

	constructor(parts: PeopleContext, making: PersonMaking) {
		this.#making = making;
		this.#section = making.section;
		const { subject, link } = making;
		this.reading = personReading(subject.name, parts.problems, () => void this.pieces.changed(), link.signal);
		this.pieces = piecePage<PersonPageStrings, PersonChange>({
			parts,
			subject,
			link,
			strings: personStrings,
			now: (ifNew) => this.#now(ifNew),
			read: (connection) => this.reading.all(connection),
			watch: ({ people, lists, tickets, repositories, reviews, threadReadMarks }) => {
				const owned = new Disposables();
				owned.add(
					people.onDidChange(({ name }) => {
						if (name.toLowerCase() === subject.name.toLowerCase()) {
							void this.pieces.changed();
						}
					}),
				);
				for (const event of [lists, tickets, repositories, reviews, threadReadMarks]) {
					owned.add(event.onDidChange(() => void this.pieces.changed()));
				}
				return owned;
			},
		});
		making.renderer.load().then(
			(loaded) => {
				this.#html = (markdown) => {
					const { instance } = this.pieces.connection();
					return loaded.render(markdown, {
						base: webAddress(instance, { kind: 'person', name: subject.name }),
						web: {
							// People lead to the page with their mails, as the head does.
							address: (to) => webOf(instance).address(to.kind === 'person' ? { kind: 'person', name: to.name } : to),
						},
						tracker: { owner: subject.name, name: '' },
					});
				};
				void this.pieces.changed();
			},
			(error: unknown) => this.pieces.log(error),
		);
	}

	/** Starts loading and returns known data. */
	open(): PersonPageStart {
		return this.#atSection(this.pieces.open());
	}

	/** All data known now. */
	start(): PersonPageStart {
		return this.#atSection(this.pieces.start());
	}

	/** Objects behind the rows. */
	world(): RowWorld {
		const connection = this.pieces.connection();
		const { name } = this.#making.subject;
		return { connection, person: connection.people.known(name), sent: connection.people.sent(name) };
	}

	/** Send the requested section once. */
	#atSection(start: PieceStart<PersonPageStrings, PersonChange>): PersonPageStart {
		const section = this.#section;
		this.#section = undefined;
		return { ...start, section };
	}

	/** If the account connects later, the page starts again. */
	#now(ifNew: IfNew): PersonChange {
		const { name } = this.#making.subject;
		const { explain } = this.pieces;
		const connection = this.pieces.known();
		const shown: ShownPerson | undefined = connection && {
			connection,
			name,
			person: connection.people.known(name),
			html: this.#html,
			isReading: (section) => this.reading.isReading(section),
			explain,
		};
		const head: PersonHeadView = shown
			? headView(shown)
			: {
					title: visibleLine(name),
					account: undefined,
					isMe: false,
					profile: { kind: 'failed', reason: explain(new ForgeError({ kind: 'notSignedIn' })) },
				};
		const sections = personSections.flatMap((section) => {
			const now: SectionView = !shown
				? { kind: 'hidden' }
				: section === 'patchsets'
					? sentView(shown)
					: listingView(section, shown);
			const view = ifNew(section, now);
			return view ? [[section, view] as const] : [];
		});
		return { head: ifNew('head', head), sections: Object.fromEntries(sections) };
	}
}

/** Objects behind the page's rows. */
interface RowWorld {
	readonly connection: Connection;
	readonly person: Person | undefined;
	readonly sent: SentPatchsets;
}

/** Opens a row's object with its own area's command. A stale row opens nothing. */
async function openRow(
	{ connection, person, sent }: RowWorld,
	{ section, key }: RowName,
	signal: AbortSignal,
): Promise<void> {
	const connectionKey = connection.key;
	switch (section) {
		case 'patchsets': {
			const found = sent.items.find((each) => keyOfSent(each) === key);
			return run('forge.patchsets.open', found && { kind: 'patchset', connectionKey, ref: found.ref });
		}
		case 'mails': {
			const mail = itemsOf(person?.mails).find(({ id }) => String(id) === key);
			if (!mail) {
				return;
			}
			const { id, messageId, list } = mail;
			// By the contract a mail may lack its list; the forge finds it by Message-ID.
			return list
				? run('forge.lists.openThread', { kind: 'mail', connectionKey, list: refOfList(list), id, messageId })
				: openDestination(connection, { kind: 'mail', messageId, list: undefined }, signal);
		}
		case 'trackers':
		case 'lists':
		case 'repositories': {
			const { kind, command } = namedListings[section];
			const ref = refAt(section, person, key);
			return run(command, ref && { kind, connectionKey, ref });
		}
	}
}

async function run(command: string, subject: unknown): Promise<void> {
	if (subject !== undefined) {
		await vscode.commands.executeCommand(command, subject);
	}
}

/** Maximum number of conversations loaded for their replies. */
const mostConversations = 20;

/** Loads for one person's page. Errors appear in their sections; only `more` throws. */
type PersonReading = ReturnType<typeof personReading>;

/**
 * Loads one page. For the account's own person it also counts replies to patchsets. `changed`: called when a load
 * starts or ends. `signal`: ends with the page.
 */
export function personReading(name: OwnerName, problems: Problems, changed: () => void, signal: AbortSignal) {
	const reading = new Map<PersonSection, number>();
	/** The running walk through the threads. */
	let walk: AbortController | undefined;

	async function during<T>(section: PersonSection, work: () => Promise<T>): Promise<T> {
		reading.set(section, (reading.get(section) ?? 0) + 1);
		changed();
		try {
			return await work();
		} finally {
			reading.set(section, (reading.get(section) ?? 1) - 1);
			changed();
		}
	}

	function quietly(work: Promise<unknown>): void {
		work.then(changed, problems.log);
	}

	async function sent(connection: Connection, deeper: boolean): Promise<void> {
		await during('patchsets', () => connection.people.readSent(name, { deeper }, signal));
		if (isOneself(connection, name, connection.people.known(name))) {
			await replies(connection);
		}
	}

	/** Sequential: these are many requests and none is urgent. */
	async function replies({ people, reviews }: Connection): Promise<void> {
		walk?.abort();
		walk = new AbortController();
		const going = AbortSignal.any([signal, walk.signal]);
		for (const { ref } of openOnes(people.sent(name)).slice(0, mostConversations)) {
			going.throwIfAborted();
			try {
				await (reviews.known(ref) ?? reviews.read(ref, going));
			} catch (error) {
				if (isAbort(error)) {
					throw error;
				}
				problems.log(error);
			}
			changed();
		}
	}

	return {
		/** Loads all unknown and failed parts. */
		all(connection: Connection) {
			quietly(connection.people.read(name, signal));
			quietly(sent(connection, false));
			// Needed for the "subscribed" marks; the Lists view shows a failure.
			quietly(connection.lists.subscriptions.first(signal));
		},
		/** Reads on in a section. Throws what went wrong. */
		async more(connection: Connection, section: PersonSection) {
			if (section === 'patchsets') {
				return sent(connection, true);
			}
			await during(section, () => connection.people.more(name, section, signal));
		},
		isReading: (section: PersonSection) => (reading.get(section) ?? 0) > 0,
	};
}
