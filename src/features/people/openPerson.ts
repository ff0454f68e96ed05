import { Disposables, type Disposable } from '../../base/lifecycle.ts';
import type { PageLink } from '../../editor/pages/pageHost.ts';
import type { PageRenderer } from '../../editor/pages/pageRenderer.ts';
import type { IfNew } from '../../editor/pages/pagePieces.ts';
import { piecePage, type PiecePage } from '../../editor/pages/piecePage.ts';
import { ForgeError } from '../../forge/forgeError.ts';
import type { PersonPageStart, PersonPageStrings, PersonProtocol } from '../../protocol/personProtocol.ts';
import {
	personSections,
	type PersonChange,
	type PersonHeadView,
	type PersonSection,
	type SectionView,
} from '../../protocol/personView.ts';
import type { PieceStart } from '../../protocol/pieceProtocol.ts';
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

export interface PersonMaking {
	readonly subject: PersonSubject;
	readonly link: PageLink<PersonProtocol>;
	readonly renderer: PageRenderer;
	/** Requested section. */
	readonly section: PersonSection | undefined;
}

/** An open page of a person. Shows known data at once and sends later changes. */
export class OpenPerson {
	readonly #making: PersonMaking;
	readonly pieces: PiecePage<PieceStart<PersonPageStrings, PersonChange>>;
	readonly reading: PersonReading;
	#html: ((markdown: string) => string) | undefined;
	#section: PersonSection | undefined;

	constructor(parts: PeopleParts, making: PersonMaking) {
		this.#making = making;
		this.#section = making.section;
		const { subject, link } = making;
		this.reading = personReading({
			name: subject.name,
			problems: parts.problems,
			changed: () => void this.pieces.changed(),
			signal: link.signal,
		});
		this.pieces = piecePage<PersonPageStrings, PersonChange>({
			parts,
			subject,
			link,
			strings: pageStrings,
			now: (ifNew) => this.#now(ifNew),
			read: (connection) => this.reading.all(connection),
			watch: (connection) => this.#watch(connection),
		});
		this.#loadRenderer();
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

	#loadRenderer(): void {
		const { renderer, subject } = this.#making;
		renderer.load().then(
			(loaded) => {
				this.#html = (markdown) => {
					const { instance } = this.pieces.connection();
					const context = { base: personWebLink(instance, subject.name), tracker: { owner: subject.name, name: '' } };
					return loaded.render(markdown, context);
				};
				void this.pieces.changed();
			},
			(error: unknown) => this.pieces.log(error),
		);
	}

	#watch({ people, lists, tickets, repositories, reviews, threadReadMarks }: Connection): Disposable {
		const { name: meant } = this.#making.subject;
		const owned = new Disposables();
		owned.add(
			people.onDidChange(({ name }) => {
				if (name.toLowerCase() === meant.toLowerCase()) {
					void this.pieces.changed();
				}
			}),
		);
		for (const event of [lists, tickets, repositories, reviews, threadReadMarks]) {
			owned.add(event.onDidChange(() => void this.pieces.changed()));
		}
		return owned;
	}

	/** If the account connects later, the page starts again. */
	#now(ifNew: IfNew): PersonChange {
		const { name } = this.#making.subject;
		const { explain } = this.pieces;
		const connection = this.pieces.known();
		const person = connection?.people.known(name);
		const head = connection
			? headView({ connection, name, person, html: this.#html, explain })
			: headWithoutAccount(name, explain);
		const sections = personSections.flatMap((section) => {
			const view = ifNew(section, connection ? this.#sectionView(section, connection) : { kind: 'hidden' });
			return view ? [[section, view] as const] : [];
		});
		return { head: ifNew('head', head), sections: Object.fromEntries(sections) };
	}

	#sectionView(section: PersonSection, connection: Connection): SectionView {
		const { name } = this.#making.subject;
		const { explain } = this.pieces;
		const person = connection.people.known(name);
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
}

function headWithoutAccount(name: string, explain: (error: unknown) => string): PersonHeadView {
	const reason = explain(new ForgeError({ kind: 'notSignedIn' }));
	return { title: visibleLine(name), account: undefined, isMe: false, profile: { kind: 'failed', reason } };
}
