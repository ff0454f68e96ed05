/** A text browser: keeps cookies, submits forms unchanged. */
export function plainBrowser(): PlainBrowser {
	let cookie = '';
	return async (url, form) => {
		const response = await fetch(url, {
			redirect: 'manual',
			headers: cookie === '' ? {} : { Cookie: cookie },
			...(form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) }),
		});
		cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? cookie;
		const html = await response.text();
		const inputs = Array.from(html.matchAll(/<input type="(hidden|checkbox)" name="([^"]*)"(?: value="([^"]*)")?/g));
		const fields = inputs.map(
			([, type, name = '', value]) =>
				[name, type === 'checkbox' ? 'on' : (value ?? '').replaceAll('&amp;', '&')] as const,
		);
		const location = response.headers.get('location');
		return {
			status: response.status,
			html,
			fields: Object.fromEntries(fields),
			location: location === null ? undefined : new URL(location, url),
		};
	};
}

/** The result of a visit. */
export interface VisitedPage {
	readonly status: number;
	readonly html: string;
	/** Hidden fields and checked boxes. */
	readonly fields: Readonly<Record<string, string>>;
	readonly location: URL | undefined;
}

/** Opens an address, or submits a form there. */
export type PlainBrowser = (url: string, form?: Readonly<Record<string, string>>) => Promise<VisitedPage>;
