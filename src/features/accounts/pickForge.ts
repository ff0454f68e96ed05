import * as vscode from 'vscode';
import { Disposables } from '@forge-desk/base/lifecycle.ts';
import { cancelled, choose, type Choice } from '../../editor/ask/ask.ts';
import type { ForgeDirectory } from '../../editor/accounts/forgeDirectory.ts';
import {
	areasOfHost,
	forgeHost,
	isSourceHut,
	serviceHost,
	sourceHut,
	type BadEntry,
} from '../../editor/accounts/forgeEntry.ts';
import { plainUnderBox, withoutPictures } from '../../editor/ask/notify.ts';
import type { SessionStore } from '../../editor/accounts/sessionStore.ts';
import type { ForgeProtocol } from 'sourcehut/port/forgeProtocol.ts';
import type { ForgeInstance } from 'sourcehut/port/instance.ts';
import type { Session } from '../../editor/accounts/session.ts';
import { noHostText, oneServiceText } from './addForge.ts';

export type ForgeChoice =
	| { readonly kind: 'forge'; readonly instance: ForgeInstance }
	/** `host`: the typed host; `undefined` to ask the user. */
	| { readonly kind: 'add'; readonly host: string | undefined }
	/** The URLs of its services are to be entered in the settings. */
	| { readonly kind: 'settings' }
	| { readonly kind: 'sample' };

/** Asks for a forge; those of the settings come first. Throws an abort when the user closes the box. */
export async function pickForge(forges: readonly ForgeInstance[], signal: AbortSignal): Promise<ForgeChoice> {
	using owned = new Disposables();
	const box = owned.add(vscode.window.createQuickPick<ForgeRow>());
	const { promise, resolve, reject } = Promise.withResolvers<ForgeChoice>();
	const giveUp = (): void => reject(cancelled());
	const draw = (): void => {
		const rows = forgeRows(box.value, forges);
		box.prompt = rows.complaint === undefined ? '' : plainUnderBox(rows.complaint);
		box.items = rows.items;
	};
	box.title = vscode.l10n.t('Which forge do you want to sign in to?');
	box.placeholder = vscode.l10n.t('Choose a forge, or type its host name or the URL of any of its pages');
	box.ignoreFocusOut = true;
	box.matchOnDescription = true;
	owned.add(box.onDidChangeValue(draw));
	owned.add(box.onDidHide(giveUp));
	owned.add(
		box.onDidAccept(() => {
			const [row] = box.selectedItems;
			// The box keeps invalid input, so that the user can correct it.
			if (row) {
				resolve(row.value);
			}
		}),
	);
	signal.addEventListener('abort', giveUp, { once: true });
	owned.add({ dispose: () => signal.removeEventListener('abort', giveUp) });
	draw();
	box.show();
	return await promise;
}

type ForgeRow = Choice<ForgeChoice>;

/**
 * The rows for a typed text: the forge that it names comes first, added if need be; else a sentence says that it names
 * none.
 */
function forgeRows(
	text: string,
	forges: readonly ForgeInstance[],
): { readonly items: readonly ForgeRow[]; readonly complaint: string | undefined } {
	const typed = text.trim();
	// A single word may be the beginning of a forge's name, and is no host unless a scheme or a port says so.
	const host = /[.:]/.test(typed) ? forgeHost(typed) : undefined;
	const origin = URL.parse(/^https?:/i.test(typed) ? typed : `https://${typed}`)?.origin ?? '';
	const meta = host === undefined ? undefined : areasOfHost(host).meta;
	const service = serviceHost(typed);
	const named = forges.find(
		({ areas }) =>
			areas.meta === meta ||
			Object.values(areas).some(
				(each) => each === origin || (service !== undefined && URL.parse(each ?? '')?.host === service),
			),
	);
	const rest = forges
		.filter((instance) => instance !== named)
		.toSorted((one, other) => rank(one) - rank(other))
		.map((instance) => forgeRow(instance));
	const front: readonly ForgeRow[] = named
		? [{ ...forgeRow(named), alwaysShow: true }]
		: host === undefined
			? []
			: [
					{
						label: withoutPictures(vscode.l10n.t('Add Forge {0}', host)),
						iconPath: new vscode.ThemeIcon('add'),
						alwaysShow: true,
						value: { kind: 'add', host },
					},
				];
	const isOneService = service !== undefined && !named;
	const elsewhere: readonly ForgeRow[] = [
		{
			label: vscode.l10n.t('Enter Other URLs in the Settings'),
			iconPath: new vscode.ThemeIcon('settings-gear'),
			alwaysShow: true,
			value: { kind: 'settings' },
		},
	];
	const ways: readonly ForgeRow[] = [
		{
			label: vscode.l10n.t('Another Forge…'),
			description: vscode.l10n.t('A self-hosted instance, by host name'),
			iconPath: new vscode.ThemeIcon('add'),
			value: { kind: 'add', host: undefined },
		},
		{
			label: vscode.l10n.t('Try the Sample Forge'),
			description: vscode.l10n.t('Runs on this computer, needs no account'),
			iconPath: new vscode.ThemeIcon('beaker'),
			value: { kind: 'sample' },
		},
	];
	const items = [
		...front,
		...(isOneService ? elsewhere : []),
		...rest,
		...(forges.some(({ isSample }) => isSample) ? ways.slice(0, 1) : ways),
	];
	if (isOneService) {
		return { items, complaint: oneServiceText(service) };
	}
	const isFound =
		front.length > 0 ||
		items.some(({ label, description = '' }) => `${label} ${description}`.toLowerCase().includes(typed.toLowerCase()));
	if (isFound) {
		return { items, complaint: undefined };
	}
	// A name without a dot may be a host of a network of one's own.
	const bareHost = forgeHost(typed);
	const complaint =
		bareHost === undefined
			? noHostText(typed)
			: vscode.l10n.t('No forge matches. If {0} is a host name, enter {1}.', bareHost, `https://${bareHost}`);
	return { items, complaint };
}

/** People who entered a forge use it more than the built-in one. */
function rank(instance: ForgeInstance): number {
	return instance.isSample ? 2 : isSourceHut(instance) ? 1 : 0;
}

function forgeRow(instance: ForgeInstance): ForgeRow {
	return {
		label: isSourceHut(instance) ? 'SourceHut (sr.ht)' : withoutPictures(instance.name),
		...(instance.id === sourceHut.id ? {} : { description: new URL(instance.areas.meta).host }),
		iconPath: new vscode.ThemeIcon('server'),
		value: { kind: 'forge', instance },
	};
}

/** Asks how to sign in; a forge that only takes tokens needs no question. */
export async function pickWay({ name }: ForgeInstance, { signIn }: ForgeProtocol): Promise<'browser' | 'token'> {
	return signIn.kind === 'tokenOnly'
		? 'token'
		: choose<'browser' | 'token'>(vscode.l10n.t('How do you want to sign in to {0}?', name), [
				{
					label: vscode.l10n.t('In the browser'),
					detail: vscode.l10n.t('The forge asks which permissions to grant.'),
					iconPath: new vscode.ThemeIcon('globe'),
					value: 'browser',
				},
				{
					label: vscode.l10n.t('With a token'),
					detail: vscode.l10n.t('Create a personal access token on the forge and paste it here.'),
					iconPath: new vscode.ThemeIcon('key'),
					value: 'token',
				},
			]);
}

/** Offers the forge's accounts for renewal. `undefined`: the user wants another account, or has none yet. */
export async function pickKnownAccount(sessions: SessionStore, instance: ForgeInstance): Promise<Session | undefined> {
	const known = (await sessions.all()).filter(({ instanceId }) => instanceId === instance.id);
	return known.length === 0
		? undefined
		: choose<Session | undefined>(vscode.l10n.t('Which account on {0} do you want to sign in to?', instance.name), [
				{
					label: vscode.l10n.t('Another account'),
					iconPath: new vscode.ThemeIcon('person-add'),
					value: undefined,
				},
				...known.map((session) => ({
					label: session.accountName,
					description: vscode.l10n.t('Sign In Again'),
					iconPath: new vscode.ThemeIcon('account'),
					value: session,
				})),
			]);
}

/** Asks which account to sign out. `undefined` when there is none. */
export async function pickAccount(sessions: SessionStore, forges: ForgeDirectory): Promise<Session | undefined> {
	const all = await sessions.all();
	return all.length === 0
		? undefined
		: choose(
				vscode.l10n.t('Which account do you want to sign out?'),
				all.map((session) => ({
					label: session.accountName,
					description: forges.byId(session.instanceId)?.name ?? session.instanceId,
					iconPath: new vscode.ThemeIcon('account'),
					value: session,
				})),
			);
}

/** Describes an invalid settings entry and its position. */
export function badEntryText({ index, name, spot, fault }: BadEntry): string {
	const entry = name ?? vscode.l10n.t('number {0}', index + 1);
	switch (fault) {
		case 'shape':
			return spot === ''
				? vscode.l10n.t(
						'The setting "forge.forges": the entry {0} is neither a host name nor a complete record.',
						entry,
					)
				: vscode.l10n.t('The setting "forge.forges": the entry {0} has an invalid value at "{1}".', entry, spot);
		case 'hostName':
			return vscode.l10n.t(
				'The setting "forge.forges": the entry {0} is not a host name such as forge.example.',
				entry,
			);
		case 'numericHost':
			return vscode.l10n.t(
				'The setting "forge.forges": {0} is an IP address, and its services need host names of their own. Enter the URLs of all four "areas" instead.',
				entry,
			);
		case 'origin':
			return vscode.l10n.t(
				'The setting "forge.forges": the entry {0} needs a URL such as https://todo.forge.example at "{1}", without a path.',
				entry,
				spot,
			);
		case 'plainHttp':
			return vscode.l10n.t(
				'The setting "forge.forges": the entry {0} has an unencrypted URL at "{1}". Only https is accepted, except on this computer.',
				entry,
				spot,
			);
		case 'publicKey':
			return vscode.l10n.t(
				'The setting "forge.forges": the entry {0} needs a public key of 32 bytes in Base64 at "{1}".',
				entry,
				spot,
			);
		case 'duplicate':
			return vscode.l10n.t('The setting "forge.forges": the entry {0} is listed twice. The first one is used.', entry);
	}
}
