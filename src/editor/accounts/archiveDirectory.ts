import * as v from 'valibot';
import { Emitter } from '@forge-desk/base/event.ts';
import { inboxAt, inboxUrlOf } from 'public-inbox/port/archiveWeb.ts';
import { mailboxSite } from 'public-inbox/read/archivePlace.ts';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import { isOwnComputer, type ForgeInstance } from 'sourcehut/port/instance.ts';
import type { KeptNames } from '../../store/shared/keptNames.ts';
import { keptIn, type KeptText } from '../../store/shared/keptText.ts';
import type { UserSetting } from './forgeDirectory.ts';

const urls = v.fallback(v.array(v.fallback(v.string(), '')), []);
const anything = v.fallback(v.array(v.unknown()), []);
const mirrorUrls = v.fallback(v.record(v.string(), urls), {});

/** Sites of mail archives with followed lists, and these lists. */
export type ArchiveDirectory = ReturnType<typeof archiveDirectory>;

const mostVisited = 20;

/**
 * Reads the settings `forge.archives.lists` and `forge.archives.mirrors` now and on each change of the lists. `kept`: sites
 * that were visited in the workspace, because its pages return with the editor.
 */
export function archiveDirectory(lists: UserSetting, mirrors: UserSetting, kept: KeptText) {
	const changed = new Emitter<void>();
	const read = (): readonly string[] => v.parse(urls, lists.read()).flatMap((url) => listUrl(url) ?? []);
	/** Writes these lists. Entries that are no lists stay, because the user may correct them. */
	const write = (all: readonly string[]): PromiseLike<void> => {
		const others = v.parse(anything, lists.read()).filter((each) => listUrl(String(each)) === undefined);
		return lists.write([...new Set([...all, ...others])]);
	};
	const sitesOf = (all: readonly string[]): ReadonlySet<string> =>
		new Set(all.flatMap((url) => inboxAt(url)?.siteUrl ?? []));
	/** Sites that may have no followed lists. */
	const visited = new Set(
		keptIn(kept.read(), v.array(v.string()), []).filter((url) => listUrl(`${url}x/`) !== undefined),
	);
	let sites: ReadonlyMap<string, ForgeInstance> = new Map();

	function look(): void {
		const next = [...new Set([...sitesOf(read()), ...visited])];
		if (next.some((site) => !sites.has(site)) || [...sites.keys()].some((site) => !next.includes(site))) {
			// Connections compare instances by identity first.
			sites = new Map(next.map((site) => [site, sites.get(site) ?? instanceOf(site)]));
			changed.fire();
		}
	}

	look();
	const subscription = lists.onDidChange(look);
	const namesAt = (siteUrl: string): readonly string[] =>
		read().flatMap((url) => {
			const inbox = inboxAt(url);
			return inbox?.siteUrl === siteUrl ? [inbox.name] : [];
		});
	return {
		/** In the order of their first lists. */
		all: (): readonly ForgeInstance[] => [...sites.values()],
		/** Names of the followed lists of a site. */
		namesAt,
		/** The same as `host/name`. Writes the user's settings. */
		followed(siteUrl: string): KeptNames {
			const { host } = new URL(siteUrl);
			return {
				all: () => namesAt(siteUrl).map((name) => `${host}/${name}`),
				async keep(names) {
					const wanted = names.map((name) => inboxUrlOf(siteUrl, name.slice(host.length + 1)));
					const isKept = (url: string): boolean => inboxAt(url)?.siteUrl !== siteUrl || wanted.includes(url);
					await write([...read().filter(isKept), ...wanted]);
					look();
				},
			};
		},
		async add(inboxUrl: string) {
			checkedFolder(inboxUrl);
			await write([...read(), inboxUrl]);
			look();
		},
		/** Connects a site without following a list. */
		async visit(siteUrl: string): Promise<ForgeInstance> {
			visited.add(checkedFolder(siteUrl));
			await kept.write(JSON.stringify([...visited].slice(-mostVisited)));
			look();
			return sites.get(siteUrl) ?? instanceOf(siteUrl);
		},
		/** Copies of sites, by URL. */
		mirrors: (): Readonly<Record<string, readonly string[]>> =>
			Object.fromEntries(
				Object.entries(v.parse(mirrorUrls, mirrors.read())).map(([url, copies]) => [
					folderUrl(url) ?? url,
					copies.flatMap((copy) => folderUrl(copy) ?? []),
				]),
			),
		/** A site came or went. */
		onDidChange: changed.event,
		dispose() {
			subscription.dispose();
			changed.dispose();
		},
	};
}

/** `undefined` for others than lists. */
function listUrl(text: string): string | undefined {
	const url = folderUrl(text);
	return url === undefined || inboxAt(url) === undefined ? undefined : url;
}

/** The URL with a slash at its end. `undefined` for plain http to other computers, which others on the way can change. */
export function folderUrl(text: string): string | undefined {
	const url = URL.parse(text.trim());
	const isSafe = url && (url.protocol === 'https:' || (url.protocol === 'http:' && isOwnComputer(url.href)));
	return !isSafe || url.username !== '' || url.password !== ''
		? undefined
		: `${url.origin}${url.pathname.replace(/\/*$/, '/')}`;
}

/** Throws `notFound` for a URL that no way may lead to. */
function checkedFolder(url: string): string {
	if (url !== mailboxSite && folderUrl(url) !== url) {
		throw new ForgeError({ kind: 'notFound' }, { about: url, isUnsent: true });
	}
	return url;
}

/** Mailboxes on this computer, as a site. */
export function mailboxInstance(name: string): ForgeInstance {
	return { ...instanceOf(mailboxSite), id: 'mailboxes', name, areas: { meta: mailboxSite, lists: mailboxSite } };
}

function instanceOf(siteUrl: string): ForgeInstance {
	const { origin, host, pathname } = new URL(siteUrl);
	const name = `${host}${pathname.replace(/\/$/, '')}`;
	return {
		id: name.toLowerCase().replaceAll(/[^a-z0-9.-]/g, '-'),
		name,
		areas: { meta: origin, lists: origin },
		protocols: {},
		signIn: { kind: 'tokenOnly' },
		scopeSpelling: { prefixes: {}, names: {} },
		webhookKey: undefined,
		archiveUrl: siteUrl,
		isSample: false,
	};
}
