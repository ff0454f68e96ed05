import { Disposables } from '@forge-desk/base/lifecycle.ts';
import { Emitter } from '@forge-desk/base/event.ts';
import type { PageContent, PageLink } from '../../../../../src/editor/pages/pageHost.ts';
import { answer, type Protocol } from '../../../../../src/pages/protocol/pageProtocol.ts';
import { standFor } from '../../../../support/standFor.ts';

/** A page with a connected host, without a browser. */
export interface TestedPage {
	/** Merged messages to the page; later ones win. */
	readonly known: Readonly<Record<string, unknown>>;
	/** Message names, in order. */
	readonly news: readonly string[];
	readonly ask: (name: string, value?: unknown) => Promise<unknown>;
	readonly isClosed: () => boolean;
	/** Content that replaced the page. */
	readonly became: readonly PageContent<Protocol>[];
	readonly abort: AbortController;
}

/** Connects to a page whose start and `changed` messages have named parts, as the editor does. */
export function testedPage(content: PageContent<Protocol>): TestedPage {
	const known: Record<string, unknown> = {};
	const news: string[] = [];
	const became: PageContent<Protocol>[] = [];
	const abort = new AbortController();
	const silent = new Emitter<void>();
	const take = (change: unknown): void => {
		for (const [piece, value] of Object.entries(change ?? {})) {
			if (value !== undefined) {
				known[piece] = value;
			}
		}
	};
	const link: PageLink<Protocol> = {
		tell(name, value) {
			news.push(name);
			if (name === 'changed') {
				take(value);
			}
		},
		setTitle: () => undefined,
		mark: () => undefined,
		close: () => abort.abort(),
		become: (next) => {
			became.push(standFor<PageContent<Protocol>>(next));
			abort.abort();
		},
		signal: abort.signal,
		owned: new Disposables(),
		isWatched: () => true,
		isVisible: () => true,
		entry: undefined,
		onDidWant: new Emitter<number>().event,
		onDidChangeWatched: silent.event,
		onDidShow: silent.event,
	};
	const { handlers, start } = content.connect(link);
	take(Object.getOwnPropertyDescriptor(start ?? {}, 'change')?.value);
	let id = 0;
	return {
		known,
		news,
		became,
		async ask(name, value) {
			id += 1;
			const reply = await answer(handlers, { kind: 'ask', id, name, value }, (error) => String(error));
			return reply?.kind === 'answer' ? reply.value : reply;
		},
		isClosed: () => abort.signal.aborted,
		abort,
	};
}
