/** A minimal browser: cookies, redirects, and the forms of the sample forge's identity pages. */
export interface ConsentBrowser {
	/**
	 * Opens an authorize address, signs in if necessary, and submits the consent page. Resolves to its last address.
	 */
	consent(address: string, choice?: ConsentChoice): Promise<Ended>;
}

/** The user's choice on the consent page. */
export interface ConsentChoice {
	readonly user?: string;
	readonly refuse?: boolean;
	/** Boxes to clear, by a part of their name. */
	readonly untick?: string;
	/** Does not open the redirect address. */
	readonly stopAtRedirect?: boolean;
}

/** The last address and its page; the page is empty if not opened. */
export interface Ended {
	readonly address: string;
	readonly status: number;
	readonly page: string;
}

/** A browser without cookies. */
export function consentBrowser(): ConsentBrowser {
	let cookie = '';

	async function load(address: string, form?: URLSearchParams): Promise<Response> {
		const response = await fetch(address, {
			redirect: 'manual',
			headers: cookie === '' ? {} : { Cookie: cookie },
			...(form === undefined ? {} : { method: 'POST', body: form }),
		});
		cookie = response.headers.get('set-cookie')?.split(';', 1)[0] ?? cookie;
		return response;
	}

	/** Follows redirects within the forge; returns one that leaves it as it is. */
	async function follow(response: Response, address: string): Promise<Ended> {
		const location = response.headers.get('location');
		const page = await response.text();
		if (response.status !== 302 || location === null) {
			return { address, status: response.status, page };
		}
		const next = new URL(location, address);
		return next.origin === new URL(address).origin
			? await follow(await load(next.href), next.href)
			: { address: next.href, status: response.status, page };
	}

	/** Submits a form to a path of the current page, and follows the response. */
	async function send(at: Ended, path: string, form: URLSearchParams): Promise<Ended> {
		return await follow(await load(new URL(path, at.address).href, form), at.address);
	}

	async function logIn(at: Ended, user: string): Promise<Ended> {
		const returnTo = hidden(at.page).get('return_to') ?? '/';
		return at.page.includes('action="/login"')
			? await send(at, '/login', new URLSearchParams({ return_to: returnTo, user }))
			: at;
	}

	async function answer(at: Ended, { refuse = false, untick }: ConsentChoice): Promise<Ended> {
		const action = /<form method="post" action="(\/oauth2?\/authorize)"/.exec(at.page)?.[1];
		if (action === undefined) {
			return at;
		}
		const form = hidden(at.page);
		for (const [, name = ''] of at.page.matchAll(/type="checkbox" name="([^"]+)" checked/g)) {
			if (untick === undefined || !name.includes(untick)) {
				form.set(name, 'on');
			}
		}
		form.set(refuse ? 'reject' : 'accept', '');
		return await send(at, action, form);
	}

	return {
		async consent(address, choice = {}) {
			const loggedIn = await logIn(await follow(await load(address), address), choice.user ?? 'alice');
			const at = await answer(loggedIn, choice);
			if (at.status !== 302 || choice.stopAtRedirect === true) {
				return at;
			}
			const last = await fetch(at.address);
			return { address: at.address, status: last.status, page: await last.text() };
		},
	};
}

function hidden(page: string): URLSearchParams {
	const fields = [...page.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)];
	return new URLSearchParams(fields.map(([, name = '', value = '']) => [unescape(name), unescape(value)]));
}

function unescape(text: string): string {
	return text
		.replaceAll('&quot;', '"')
		.replaceAll('&#39;', "'")
		.replaceAll('&lt;', '<')
		.replaceAll('&gt;', '>')
		.replaceAll('&amp;', '&');
}
