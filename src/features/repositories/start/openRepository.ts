import * as vscode from 'vscode';
import { unsentText } from '../../../editor/ask/extraFields.ts';
import { agoText, readBeforeText } from '../../../editor/ask/readBefore.ts';
import type { PageLink } from '../../../editor/pages/pageHost.ts';
import type { IfNew } from '../../../editor/pages/livePage.ts';
import type { PageRenderer } from '../../../editor/pages/pageRenderer.ts';
import { ForgeError, isForgeError } from 'sourcehut/port/forgeError.ts';
import { isSameRepository, type RepositoryRef } from 'sourcehut/port/repository.ts';
import {
	repositoryStrings,
	type RepositoryProtocol,
	type RepositoryPageStrings,
	type PartView,
	type ReadmeView,
	type RepositoryChange,
} from '../../../pages/protocol/repositoryProtocol.ts';
import type { Connection } from '../../../store/connection.ts';
import type { ReadPart } from '../../../store/shared/listing.ts';
import { linkedText } from '../../../engine/text/linkedText.ts';
import type { MarkdownRenderer } from '../../../engine/text/markdown.ts';
import { openPieces, type OpenPieces } from '../pages/openPieces.ts';
import type { RepositorySubject } from '../subjects/subjects.ts';
import { webLink } from '../subjects/webLink.ts';
import { shownName } from '../subjects/words.ts';
import { placeInTree, type Readme } from './readmeFile.ts';
import { noPictures, readPictures, type Pictures, pictureGiver } from './readmePictures.ts';
import { repositoryReading, type RepositoryReading } from './repositoryReading.ts';
import { aboutView, commitViews, headView, pushCommands, referencesView } from './startViews.ts';
import type { RepositoriesContext } from '../parts/repositoriesContext.ts';
import { originOf } from 'sourcehut/port/instance.ts';
import { webOf } from '../../../editor/links/webOf.ts';
import type { WebAddresses } from 'sourcehut/port/webAddresses.ts';

export interface RepositoryMaking {
	readonly subject: RepositorySubject;
	readonly link: PageLink<RepositoryProtocol>;
	readonly renderer: PageRenderer;
	/** Reports the repository's new name. */
	readonly renamed: (to: RepositoryRef) => void;
}

/** An open repository page. Shows cached data immediately and sends later changes. */
export class OpenRepository {
	readonly #parts: RepositoriesContext;
	readonly #making: RepositoryMaking;
	readonly pieces: OpenPieces<RepositoryPageStrings, RepositoryChange>;
	readonly reading: RepositoryReading;
	#renderer: MarkdownRenderer | undefined;
	#pictures: { readonly of: Readme; readonly pictures: Pictures } | undefined;
	/** Last rendered README: rendering is slow. */
	#made: { readonly of: Readme; readonly with: Pictures; readonly view: ReadmeView | undefined } | undefined;

	constructor(parts: RepositoriesContext, making: RepositoryMaking) {
		this.#parts = parts;
		this.#making = making;
		this.pieces = openPieces({
			...making,
			parts,
			strings: repositoryStrings,
			now: (ifNew) => this.#now(ifNew),
			// Opening the page or trying again drops stale data after a failed refresh, and loads it again.
			read: () => {
				this.pieces.connection().repositories.forgetBefore(making.subject.ref);
				// Continues after the page closes: other views show the recalled data, so it needs a refresh.
				void this.reading.recall().then(() => this.reading.all());
			},
			watch: ({ repositories }) =>
				repositories.onDidChange((change) => {
					switch (change.kind) {
						case 'moved':
						case 'repository':
						case 'deleted':
						case 'log':
							return change.ref === undefined || isSameRepository(change.ref, making.subject.ref)
								? this.reading.all()
								: undefined;
						case 'repositories':
						case 'renamed':
							return undefined;
					}
				}),
		});
		this.reading = repositoryReading(making.subject.ref, () => this.pieces.connection(), {
			...this.pieces.reading,
			changed: () => this.#changed(),
		});
		const granted = parts.trust.onDidGrant(() => this.#changed());
		making.link.signal.addEventListener('abort', () => granted.dispose(), { once: true });
		making.renderer.load().then((loaded) => {
			this.#renderer = loaded;
			this.#changed();
		}, parts.problems.log);
	}

	/** The README, once loaded. */
	readme(): Readme | undefined {
		const now = this.reading.readme.now();
		return now.kind === 'known' ? now.value.readme : undefined;
	}

	/** Base of links in the README. */
	place({ name, revision }: Readme): ReadmePlace {
		const { connectionKey, ref } = this.#making.subject;
		const { instance } = this.pieces.connection();
		const at = { ref: revision, path: name };
		const base =
			webLink(this.#parts.connections, { kind: 'file', connectionKey, ref, at }) ?? `${originOf(instance, 'git')}/`;
		return { base, web: webOf(instance), owner: ref.owner };
	}

	#changed(): void {
		const readme = this.readme();
		if (readme?.kind === 'text' && readme.isMarkdown && this.#renderer && this.#pictures?.of !== readme) {
			this.#readPictures(readme, readme.text, this.#renderer);
		}
		void this.pieces.changed();
	}

	/** Until the pictures load, the text appears with the previous ones or without any. */
	#readPictures(readme: Readme, text: string, renderer: MarkdownRenderer): void {
		if (!this.pieces.known()) {
			return;
		}
		const { problems } = this.#parts;
		const { subject, link } = this.#making;
		const before = this.#pictures?.pictures ?? noPictures;
		this.#pictures = { of: readme, pictures: before };
		const wanted = wantedPictures(text, this.place(readme), renderer);
		const { repositories } = this.pieces.connection();
		const reading = {
			repositories,
			ref: subject.ref,
			revision: readme.revision,
			failed: problems.log,
		};
		readPictures(wanted, reading, link.signal).then((pictures) => {
			if (this.#pictures?.of === readme) {
				this.#pictures = { of: readme, pictures };
				void this.pieces.changed();
			}
		}, problems.log);
	}

	/** The account may still appear. The page then starts again. */
	#now(ifNew: IfNew): RepositoryChange {
		const { ref } = this.#making.subject;
		const connection = this.pieces.known();
		const { explain } = this.pieces;
		if (!connection) {
			const reason = explain(new ForgeError({ kind: 'notSignedIn' }));
			const head = headView(undefined, ref, this.#parts.trust.isTrusted());
			return { head: ifNew('head', head), about: ifNew('about', { kind: 'failed', reason }), ...nothingElse };
		}
		const { about, names, commits } = this.reading;
		const [aboutRead, commitsRead, namesRead] = [about.now(), commits.now(), names.now()];
		const problem =
			aboutRead.kind === 'failed' && isForgeError(aboutRead.error) ? aboutRead.error.problem.kind : undefined;
		// The repository does not exist for this account, so nothing that needs it can work.
		const isClosed = problem === 'notAllowed' || problem === 'notFound';
		const isNameless =
			namesRead.kind === 'failed' || (namesRead.kind === 'known' && namesRead.value.listing.items.length === 0);
		// Before the first push there are no commits and no references.
		const isEmpty = commitsRead.kind === 'known' && commitsRead.value.items.length === 0 && isNameless;
		const hidden = { kind: 'hidden' } as const;
		const once = onceEach();
		const aboutNow = once(partView(aboutRead, explain, (repository) => aboutView(repository, this.#html())));
		const commitsNow = once(isEmpty ? hidden : partView(commitsRead, explain, commitViews));
		const namesNow = once(isEmpty ? hidden : partView(namesRead, explain, referencesView));
		const readmeNow = once(isEmpty ? hidden : this.#readmeView(explain));
		return {
			head: ifNew('head', headView(isClosed ? undefined : connection?.instance, ref, this.#parts.trust.isTrusted())),
			readBefore: ifNew('readBefore', this.#readBefore(connection)),
			about: ifNew('about', aboutNow),
			push: ifNew('push', isEmpty ? pushCommands(connection.instance, ref) : []),
			readme: ifNew('readme', readmeNow),
			commits: ifNew('commits', commitsNow),
			references: ifNew('references', namesNow),
		};
	}

	/** Notice about the oldest stale part, else about missing fields. */
	#readBefore({ repositories }: Connection): string {
		const { ref } = this.#making.subject;
		const [before] = [
			repositories.metadata.before(ref),
			repositories.names.known(ref)?.referencesBefore(),
			repositories.names.known(ref)?.logBefore(this.reading.revision()),
		]
			.filter((each) => each !== undefined)
			.toSorted((a, b) => a.readAtMs - b.readAtMs);
		const nowMs = this.#parts.clock.nowMs();
		const repository = repositories.metadata.known(ref);
		return before
			? readBeforeText(before.error, agoText(before.readAtMs, nowMs, 'long'))
			: unsentText(repository ? [repository] : []);
	}

	#html(): ((markdown: string) => string) | undefined {
		const { connectionKey, ref } = this.#making.subject;
		const renderer = this.#renderer;
		const { instance } = this.pieces.connection();
		const base =
			webLink(this.#parts.connections, { kind: 'repository', connectionKey, ref }) ?? `${originOf(instance, 'git')}/`;
		const context = { base, web: webOf(instance), tracker: { owner: ref.owner, name: '' } };
		return renderer && ((markdown) => renderer.render(markdown, context));
	}

	#readmeView(explain: (error: unknown) => string): PartView<ReadmeView> {
		const readme = this.readme();
		if (!readme) {
			return partView(this.reading.readme.now(), explain, (): ReadmeView | undefined => undefined);
		}
		const pictures = this.#pictures?.of === readme ? this.#pictures.pictures : noPictures;
		if (this.#made?.view === undefined || this.#made.of !== readme || this.#made.with !== pictures) {
			const view = readmeView(readme, this.place(readme), this.#renderer, pictures);
			this.#made = { of: readme, with: pictures, view };
		}
		const { view } = this.#made;
		return view ? partView(this.reading.readme.now(), explain, () => view) : { kind: 'loading' };
	}
}

/** For parts in page order: hides a failure with the same reason as an earlier part. */
function onceEach(): <View>(view: PartView<View>) => PartView<View> {
	const told = new Set<string>();
	return (view) => {
		if (view.kind !== 'failed') {
			return view;
		}
		const isNew = !told.has(view.reason);
		told.add(view.reason);
		return isNew ? view : { kind: 'hidden' };
	};
}

/** Parts hidden until the account is ready. */
const nothingElse = {
	readBefore: '',
	push: [],
	readme: { kind: 'hidden' },
	commits: { kind: 'hidden' },
	references: { kind: 'hidden' },
} as const;

/** State of a page part. `show` converts the value; `undefined` hides the part. */
function partView<T, View>(
	part: ReadPart<T>,
	explain: (error: unknown) => string,
	show: (value: T) => View | undefined,
): PartView<View> {
	switch (part.kind) {
		case 'reading':
			return { kind: 'loading' };
		case 'failed':
			return { kind: 'failed', reason: explain(part.error) };
		case 'known': {
			const value = show(part.value);
			return value === undefined ? { kind: 'hidden' } : { kind: 'shown', value };
		}
	}
}

/** Location of a README. */
interface ReadmePlace {
	/** Web address of the file, the base of its links. */
	readonly base: string;
	/** Origin of the ticket area. */
	readonly web: WebAddresses;
	readonly owner: string;
}

/** A README as the page shows it; Markdown waits for its renderer. */
function readmeView(
	readme: Readme,
	place: ReadmePlace,
	renderer: MarkdownRenderer | undefined,
	pictures: Pictures,
): ReadmeView | undefined {
	const name = shownName(readme.name);
	if (readme.kind === 'unfit') {
		const text = {
			tooLarge: vscode.l10n.t('It is too large to be shown here. Open it in the editor.'),
			binary: vscode.l10n.t('It is not text. Open it in the editor.'),
		}[readme.why];
		return { kind: 'unfit', name, text };
	}
	if (readme.text.trim() === '') {
		return { kind: 'unfit', name, text: vscode.l10n.t('It is empty.') };
	}
	if (!readme.isMarkdown) {
		return { kind: 'text', name, pieces: linkedText(readme.text.replaceAll('\r\n', '\n'), place) };
	}
	const give = pictureGiver(pictures);
	return renderer && { kind: 'markdown', name, html: rendered(readme.text, place, renderer, give) };
}

/** Paths of a README's pictures within its repository. */
export function wantedPictures(text: string, place: ReadmePlace, renderer: MarkdownRenderer): readonly string[] {
	const wanted: string[] = [];
	rendered(text, place, renderer, (path) => {
		wanted.push(path);
		return undefined;
	});
	return wanted;
}

/** Never load remote pictures: their host would learn about the reader. */
function rendered(
	text: string,
	{ base, web, owner }: ReadmePlace,
	renderer: MarkdownRenderer,
	give: (path: string) => string | undefined,
): string {
	const picture = (address: string): string | undefined => {
		const place = placeInTree(address, base);
		return place && give(place.path);
	};
	return renderer.render(text, { base, web, tracker: { owner, name: '' }, document: { picture } });
}
