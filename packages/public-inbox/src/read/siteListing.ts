import { decodedPart } from '@forge-desk/base/decodedPart.ts';
import * as v from 'valibot';
import { decodedText, textOfHtml } from './htmlText.ts';

/** An inbox in the list of a site. */
export interface ListedInbox {
	/** With a trailing slash. May be on another host by https, where the site says so. */
	readonly url: string;
	/** Its path on the site, as `linux-kernel`. */
	readonly name: string;
	readonly description: string;
	/** Time of the newest mail. */
	readonly modifiedMs: number | undefined;
	/** Addresses for `git clone`, oldest first; none if the site does not name them. */
	readonly epochs: readonly string[];
}

const manifest = v.record(
	v.string(),
	v.looseObject({
		modified: v.fallback(v.optional(v.number()), undefined),
		description: v.fallback(v.nullish(v.string()), undefined),
	}),
);

/** Reads an inflated `manifest.js.gz`. `undefined`: this is none. */
export function readManifest(body: Uint8Array, siteUrl: string): readonly ListedInbox[] | undefined {
	let json: unknown;
	try {
		json = JSON.parse(decodedText(body));
	} catch {
		return undefined;
	}
	const read = v.safeParse(manifest, json);
	if (!read.success) {
		return undefined;
	}
	const inboxes = Map.groupBy(
		Object.entries(read.output).flatMap(([path, { modified, description }]) => {
			const [, inbox, epoch] = /^\/?(.*?)(?:\/git\/(\d{1,6})\.git)?\/?$/s.exec(path) ?? [];
			const url = inbox === undefined || !isPath(inbox) ? undefined : urlBelow(siteUrl, inbox);
			return url === undefined
				? []
				: { inbox: inbox ?? '', url, path, epoch: Number(epoch ?? 0), modified, description };
		}),
		({ inbox }) => inbox,
	);
	return Array.from(inboxes.values()).flatMap((unordered): readonly ListedInbox[] => {
		const epochs = unordered.toSorted((one, other) => one.epoch - other.epoch);
		const newest = epochs.at(-1);
		const modified = epochs.reduce((most, each) => Math.max(most, each.modified ?? 0), 0);
		return newest === undefined
			? []
			: [
					{
						url: newest.url,
						name: newest.inbox,
						description: (newest.description ?? '').replace(/ \[epoch \d+\]$/, ''),
						modifiedMs: modified > 0 ? modified * 1000 : undefined,
						epochs: epochs.flatMap(({ path }) => urlBelow(siteUrl, path.replace(/^\//, ''))?.replace(/\/$/, '') ?? []),
					},
				];
	});
}

/** False for other folders, and for names that people cannot read as what they are. */
function isPath(path: string): boolean {
	return path.split('/').every((step) => {
		const name = decodedPart(step);
		return name !== undefined && !/^\.{0,2}$/.test(name) && !/[\p{C}\p{Zl}\p{Zp}\\/]/u.test(name);
	});
}

/** Manifests name paths from the root of their host, even those of a site below a path. */
function urlBelow(siteUrl: string, path: string): string | undefined {
	const url = URL.parse(`/${path}/`, siteUrl);
	return url?.origin === new URL(siteUrl).origin ? url.href : undefined;
}

/** `* 2023-11-15  1:33 - <a href="address">address</a>`, then an indented description. */
const listed =
	/\*\s{1,4}(?:(\d{4,5})-(\d\d)-(\d\d)\s{1,4}(\d{1,2}):(\d\d)\s{1,4})?(?:-\s{1,4})?<a\s[^<>]{0,300}?href="([^"<>]{0,9000})"[^<>]{0,300}>[^<]*<\/a>([^<*]*)/g;

/** Reads the start page of a site, for archives without a manifest. */
export function readListing(body: Uint8Array, siteUrl: string): readonly ListedInbox[] {
	return [...decodedText(body).matchAll(listed)].flatMap(
		([, year, month, day, hour, minute, href = '', behind = '']) => {
			const url = URL.parse(textOfHtml(href), siteUrl);
			const name = url?.pathname.replaceAll(/^\/|\/$/g, '') ?? '';
			// People check names in a link themselves, and only they may ask for plain http elsewhere.
			const isSafe = url?.protocol === 'https:' || url?.origin === new URL(siteUrl).origin;
			if (!url || !isSafe || url.username !== '' || url.password !== '' || !isPath(name) || url.search !== '') {
				return [];
			}
			return {
				url: `${url.origin}/${name}/`,
				name,
				description: textOfHtml(behind).trim(),
				modifiedMs:
					year === undefined
						? undefined
						: Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute)),
				epochs: [],
			};
		},
	);
}
