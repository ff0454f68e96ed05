/**
 * Sends every clicked link to the host, which decides whether and where it leads. The address is taken as it is
 * written, so that the host sees what the link says and not what the page's own address makes of it.
 */
export function followLinks(root: HTMLElement, follow: (href: string) => void): void {
	const catchLink = (event: MouseEvent): void => {
		const link = event.target instanceof Element ? event.target.closest('a[href]') : null;
		if (link) {
			// The editor would open it by itself otherwise.
			event.preventDefault();
			event.stopPropagation();
			if (event.type === 'click' || event.button === 1) {
				follow(link.getAttribute('href') ?? '');
			}
		}
	};
	root.addEventListener('click', catchLink);
	root.addEventListener('auxclick', catchLink);
}
