import { homedir, platform, tmpdir } from 'node:os';
import * as vscode from 'vscode';
import type { Net } from 'sourcehut/net.ts';
import type { ProxyUse } from 'sourcehut/port/proxyUse.ts';
import type { ForgeDirectory } from '../../editor/accounts/forgeDirectory.ts';
import type { CheckNet } from '../../features/connectionCheck/checkContext.ts';
import type { DeskAccounts } from './deskAccounts.ts';
import { readAnything } from './accountNet.ts';
import { isProxyAddress, textOf } from './editorProxies.ts';
import { userSetting } from './network.ts';

/** Accounts, network and machine for Check Connection. */
export function checkParts({ extension }: vscode.ExtensionContext, desk: DeskAccounts) {
	const { sessions, machine, shown, clock } = desk;
	const forges: ForgeDirectory = desk.forges;
	const manifest: unknown = extension.packageJSON;
	const version = typeof manifest === 'object' && manifest !== null && 'version' in manifest ? manifest.version : '';
	return {
		sessions,
		forges,
		net: checkNet(
			() => desk.net.open(),
			(origin) => desk.net.proxyOf(origin),
			process.env,
		),
		isTrusted: machine.isTrusted,
		git: { git: machine.git, tempFolder: tmpdir() },
		email: process.env['EMAIL'],
		home: homedir(),
		problems: shown,
		program: `Forge Desk ${String(version)}, ${vscode.env.appName} ${vscode.version}, ${platform()}`,
		clock,
	};
}

/** `net`: loads the network on the first call. `proxyOf`: the proxy of an origin, as all requests use it. */
export function checkNet(
	net: () => Promise<Net>,
	proxyOf: (origin: string) => Promise<ProxyUse>,
	environment: Readonly<Record<string, string | undefined>>,
): CheckNet {
	/** User names and passwords of the proxies that this run has found. */
	const signIns = new Set<string>();

	function noteSignIn(address: unknown): void {
		const url = typeof address === 'string' ? URL.parse(address) : null;
		if (url !== null) {
			[url.username, url.password].forEach((part) => signIns.add(part));
		}
	}

	return {
		protocol: async (instance) => (await net()).protocol(instance),
		look: async (origin, signal) => (await net()).lookAtService(origin, signal),
		async ask(instance, area, token, signal) {
			const { users } = (await net()).connectForge({ instance, me: '', tokenFor: () => token.reveal() });
			const { canonicalName } = await users.user(area, undefined, signal);
			await readAnything(net)(instance)(area, token, signal);
			// Decoration: the answer before is the check.
			const version = await users.version?.(area, signal).catch(() => '');
			return { owner: canonicalName, version: version === 'unknown' ? '' : (version ?? '') };
		},
		async proxyFor(address) {
			const used = await proxyOf(new URL(address).origin);
			noteSignIn(used.kind === 'proxy' ? used.address : undefined);
			const written = textOf(userSetting('http.proxy'));
			const isIgnored = used.kind === 'none' && written !== undefined && !isProxyAddress(written);
			return isIgnored ? { kind: 'unusable', source: 'setting' } : used;
		},
		areCertificatesChecked: () => userSetting('http.proxyStrictSSL') !== false,
		secrets() {
			const authorization = userSetting('http.proxyAuthorization');
			const written = ['https_proxy', 'http_proxy'].flatMap((name) => [
				environment[name],
				environment[name.toUpperCase()],
			]);
			[userSetting('http.proxy'), ...written].forEach(noteSignIn);
			return [typeof authorization === 'string' ? authorization : '', ...signIns];
		},
	};
}
