import * as vscode from 'vscode';
import type { Clock } from '@forge-desk/base/clock.ts';
import type { WorkerJson } from '@forge-desk/base/workerJson.ts';
import type { GitReads } from 'sourcehut/port/gitReads.ts';
import type { ProxyUse } from 'sourcehut/port/proxyUse.ts';
import type { Net, TransportSettings, Way } from 'sourcehut/net.ts';
import { fieldsOf } from '../../base/lenientJson.ts';
import { proxyFor, proxyModule, textOf, trustedCertificates, type ReadSetting } from './editorProxies.ts';

/** Lazily loads the network's bundle. Proxies and certificates are the editor's, and follow its settings. */
export function network(clock: Clock, userAgent: string, workerJson: WorkerJson, git: GitReads) {
	let opening: Promise<Net> | undefined;
	let editor: { readonly module: unknown } | undefined;
	let ways: ReturnType<typeof waysOf> | undefined;
	const listening = vscode.workspace.onDidChangeConfiguration((change) => {
		if (change.affectsConfiguration('http')) {
			ways?.forget();
		}
	});
	function module(): unknown {
		editor ??= { module: proxyModule(vscode.env.appRoot) };
		return editor.module;
	}
	return {
		open() {
			opening ??= import('sourcehut/net.ts').then(({ openNet }) => {
				ways = waysOf(userSetting, process.env, module(), () => clock.nowMs());
				const transport = transportSettings(userSetting, userAgent, ways.wayTo);
				return openNet({ transport, clock, random: Math.random, workerJson, git });
			});
			return opening;
		},
		/** The proxy of an origin, as requests use it. Its address may hold a password: never show or log it whole. */
		proxyOf: (origin: string): Promise<ProxyUse> => proxyFor(origin, module(), userSetting, process.env),
		dispose() {
			listening.dispose();
			void opening?.then((net) => net.close()).catch(() => undefined);
		},
	};
}

/** Ignores workspace settings: a hostile workspace could redirect tokens through its proxy. */
export function userSetting(key: string): unknown {
	const found = vscode.workspace.getConfiguration().inspect<unknown>(key);
	return found?.globalValue ?? found?.defaultValue;
}

/** From the manifest of the extension. Archives ask for a URL in it, which packages of a public repository have. */
export function userAgentOf(manifest: unknown): string {
	const { version, homepage } = fieldsOf(manifest);
	const url = typeof homepage === 'string' ? `; +${homepage}` : '';
	return `ForgeDesk/${typeof version === 'string' ? version : '0'} (VS Code extension${url})`;
}

export function transportSettings(
	setting: ReadSetting,
	userAgent: string,
	wayTo: TransportSettings['wayTo'],
): TransportSettings {
	const inFlight = setting('forge.requests.inFlight');
	return {
		userAgent,
		callsInFlight: typeof inFlight === 'number' && inFlight >= 1 ? Math.min(16, Math.floor(inFlight)) : 4,
		wayTo,
	};
}

/** A look into settings and resolver costs half as much as a call, so a way counts for a second. */
const freshMs = 1000;

/** The ways to origins. `editor`: its module for proxies. Call `forget` after a change of settings. */
export function waysOf(
	setting: ReadSetting,
	environment: Readonly<Record<string, string | undefined>>,
	editor: unknown,
	nowMs: () => number,
) {
	const certificates = new Map<boolean, Promise<readonly string[] | undefined>>();
	let known = new Map<string, { readonly way: Way; readonly atMs: number }>();

	function authorities(): Promise<readonly string[] | undefined> {
		const isByNode = setting('http.systemCertificatesNode') !== false;
		let loading = certificates.get(isByNode);
		if (loading === undefined) {
			// Without the system's certificates fewer servers are trusted, so the next call reads again.
			loading = trustedCertificates(editor, isByNode).catch(() => void certificates.delete(isByNode));
			certificates.set(isByNode, loading);
		}
		return loading;
	}

	async function find(origin: string): Promise<Way> {
		const proxy = await proxyFor(origin, editor, setting, environment);
		const isEncrypted = origin.startsWith('https:') || (proxy.kind === 'proxy' && /^https:/i.test(proxy.address));
		const header = textOf(setting('http.proxyAuthorization'));
		return {
			proxy,
			// A header with line ends or letters beyond ASCII would break every request.
			proxyAuthorization: header !== undefined && /^[\x20-\x7e]+$/.test(header) ? header : undefined,
			strictTls: setting('http.proxyStrictSSL') !== false,
			authorities: isEncrypted && setting('http.systemCertificates') !== false ? await authorities() : undefined,
		};
	}

	function wayTo(this: void, origin: string): Way | Promise<Way> {
		const before = known.get(origin);
		const atMs = nowMs();
		// A clock may be set back.
		if (before !== undefined && Math.abs(atMs - before.atMs) < freshMs) {
			return before.way;
		}
		// Settings may change while the editor resolves: its answer goes to the old map then.
		const into = known;
		const finding = find(origin);
		finding.then(
			(way) => into.set(origin, { way, atMs }),
			() => undefined,
		);
		return finding;
	}

	return {
		wayTo,
		forget() {
			known = new Map();
		},
	};
}
