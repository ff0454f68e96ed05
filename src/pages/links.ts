import { pageEnd } from './pageEnd.ts';

/**
 * Sends every clicked link to the host, which applies the link policy. Sends the `href` attribute, because the resolved
 * address would mix in the page's own.
 */
export function followLinks(root: HTMLElement, follow: (href: string) => void): void {
	const catchLink = (event: MouseEvent): void => {
		const link = event.target instanceof Element ? event.target.closest('a[href]') : null;
		if (link) {
			// Otherwise the editor opens the link too.
			event.preventDefault();
			event.stopPropagation();
			if (event.type === 'click' || event.button === 1) {
				follow(link.getAttribute('href') ?? '');
			}
		}
	};
	root.addEventListener('click', catchLink, { signal: pageEnd });
	root.addEventListener('auxclick', catchLink, { signal: pageEnd });
}
