import * as vscode from 'vscode';
import { Disposables, type Disposable } from '../../base/lifecycle.ts';
import { pageAccount, type PageAccount } from '../../editor/pages/pageAccount.ts';
import type { PageLink } from '../../editor/pages/pageHost.ts';
import type { PageRenderer } from '../../editor/pages/pageRenderer.ts';
import { ForgeError } from '../../forge/forgeError.ts';
import type { PersonPageStart, PersonProtocol } from '../../protocol/personProtocol.ts';
import { personSections, type PersonChange, type PersonSection, type SectionView } from '../../protocol/personView.ts';
import type { Connection } from '../../state/connection.ts';
import { visibleLine } from '../../text/visible.ts';
import { headView, isUnknown } from './headView.ts';
import { listingView } from './listingViews.ts';
import type { RowWorld } from './openRow.ts';
import { pageStrings } from './pageStrings.ts';
import type { PeopleParts } from './peopleParts.ts';
import { personReading, type PersonReading } from './personReading.ts';
import { sentView } from './sentView.ts';
import type { PersonSubject } from './subjects.ts';
import { personWebLink } from './webLink.ts';

/** What one page is made with. */
export interface PersonMaking {
	readonly subject: PersonSubject;
	readonly link: PageLink<PersonProtocol>;
	readonly renderer: PageRenderer;
	/** The section that somebody wants to see. */
	readonly section: PersonSection | undefined;
}

/** One open page of somebody: shows what is known at once, and tells the page whatever is different later. */
export class OpenPerson {
	readonly #parts: PeopleParts;
	readonly #making: PersonMaking;
	readonly reading: PersonReading;
	#html: ((markdown: string) => string) | undefined;
	readonly #account: PageAccount;
	/** How each piece was told last, as JSON. */
	readonly #told = new Map<string, string>();
	#isTelling = false;
	#section: PersonSection | undefined;

	constructor(parts: PeopleParts, making: PersonMaking) {
		this.#parts = parts;
		this.#making = making;
		this.#section = making.section;
		const { subject, link } = making;
		this.reading = personReading({
			name: subject.name,
			problems: parts.problems,
			changed: () => this.changed(),
			signal: link.signal,
		});
		this.#account = pageAccount({
			connections: parts.connections,
			connectionKey: subject.connectionKey,
			link,
			watch: (connection) => this.#watch(connection),
			arrived: (connection) => {
				this.#read(connection);
				link.tell('reload', undefined);
			},
		});
		this.#loadRenderer();
	}

	/** Begins to read, and answers what is known without. */
	open(): PersonPageStart {
		const connection = this.#account.known();
		if (connection) {
			this.#read(connection);
		}
		return this.start();
	}

	/** All that is known now. */
	start(): PersonPageStart {
		this.#told.clear();
		const section = this.#section;
		this.#section = undefined;
		return {
			locale: vscode.env.language,
			strings: pageStrings(),
			change: this.#nextChange() ?? this.#withoutAccount(),
			section,
		};
	}

	/** Reads what could not be read. */
	again(): void {
		this.#read(this.connection());
	}

	/** The account, while it is signed in. */
	connection(): Connection {
		return this.#account.connection();
	}

	/** What the rows stand for. */
	world(): RowWorld {
		const connection = this.connection();
		const { name } = this.#making.subject;
		return { connection, person: connection.people.known(name), sent: connection.people.sent(name) };
	}

	/** Tells the page what is different, all that happens in one turn at once. */
	changed(): void {
		if (this.#isTelling) {
			return;
		}
		this.#isTelling = true;
		this.#parts.clock.after(0, () => {
			this.#isTelling = false;
			const change = this.#making.link.signal.aborted ? undefined : this.#nextChange();
			if (change) {
				this.#making.link.tell('changed', change);
			}
		});
	}

	#read(connection: Connection): void {
		this.#account.follow(connection);
		this.reading.all(connection);
	}

	#loadRenderer(): void {
		const { renderer, subject } = this.#making;
		renderer.load().then(
			(loaded) => {
				this.#html = (markdown) => {
					const { instance } = this.connection();
					const context = { base: personWebLink(instance, subject.name), tracker: { owner: subject.name, name: '' } };
					return loaded.render(markdown, context);
				};
				this.changed();
			},
			(error: unknown) => this.#parts.problems.log(error),
		);
	}

	#watch({ people, lists, tickets, repositories, standings, threadLooks }: Connection): Disposable {
		const { name: meant } = this.#making.subject;
		const owned = new Disposables();
		owned.add(
			people.onDidChange(({ name }) => {
				if (name.toLowerCase() === meant.toLowerCase()) {
					this.changed();
				}
			}),
		);
		for (const event of [lists, tickets, repositories, standings, threadLooks]) {
			owned.add(event.onDidChange(() => this.changed()));
		}
		return owned;
	}

	/** `undefined` when the page knows all. */
	#nextChange(): PersonChange | undefined {
		const connection = this.#account.known();
		if (!connection) {
			return undefined;
		}
		const { name } = this.#making.subject;
		const person = connection.people.known(name);
		const explain = (error: unknown): string => this.#parts.problems.explain(error).message;
		const head = this.#ifNew('head', headView({ connection, name, person, html: this.#html, explain }));
		const sections = personSections.flatMap((section) => {
			const view = this.#ifNew(section, this.#sectionView(section, connection));
			return view ? [[section, view] as const] : [];
		});
		return head || sections.length > 0 ? { head, sections: Object.fromEntries(sections) } : undefined;
	}

	/** The account may yet come, and then the page starts anew. */
	#withoutAccount(): PersonChange {
		const { name } = this.#making.subject;
		const reason = this.#parts.problems.explain(new ForgeError({ kind: 'notSignedIn' })).message;
		const title = visibleLine(name);
		return {
			head: { title, account: undefined, isMe: false, profile: { kind: 'failed', reason } },
			sections: Object.fromEntries(personSections.map((section) => [section, { kind: 'hidden' } as const])),
		};
	}

	#sectionView(section: PersonSection, connection: Connection): SectionView {
		const { name } = this.#making.subject;
		const person = connection.people.known(name);
		const explain = (error: unknown): string => this.#parts.problems.explain(error).message;
		const isReading = (which: PersonSection): boolean => this.reading.isReading(which);
		return section === 'patchsets'
			? sentView({
					connection,
					account: person?.account,
					sent: connection.people.sent(name),
					isReading: isReading('patchsets'),
					isHidden: isUnknown(person),
					explain,
				})
			: listingView(section, { connection, person, isReadingOn: isReading, explain });
	}

	#ifNew<T>(piece: string, view: T): T | undefined {
		const said = JSON.stringify(view);
		if (this.#told.get(piece) === said) {
			return undefined;
		}
		this.#told.set(piece, said);
		return view;
	}
}
