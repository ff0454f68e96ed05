import type { PieceProtocol } from './protocol/pageProtocol.ts';
import { swallowChords } from './chords.ts';
import type { Host } from './host.ts';
import { followLinks } from './links.ts';

/**
 * Starts a page: `build` runs once and returns the update function. Sends clicked links to the host, unless `stay`
 * handles them.
 */
export function beginPage<Start extends { readonly change: Change }, Change>(
	{ link, begin }: Pick<Host<PieceProtocol<Start, Change>>, 'link' | 'begin'>,
	build: (start: Start) => (change: Change) => void,
	stay: (href: string) => boolean = () => false,
): void {
	let show: ((change: Change) => void) | undefined;
	const start = (known: Start): void => {
		show ??= build(known);
		show(known.change);
	};
	const load = async (): Promise<void> => start(await link.ask('load', undefined));
	link.on('start', start);
	link.on('changed', (change) => show?.(change));
	link.on('reload', () => void load());
	swallowChords(window);
	followLinks(document.body, (href) => {
		if (!stay(href)) {
			// The host reports a failed link. A rejected one does nothing, like any dead link.
			link.ask('follow', href).catch(() => undefined);
		}
	});
	begin();
	void load();
}
