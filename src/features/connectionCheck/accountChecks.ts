import * as vscode from 'vscode';
import { isAbort } from '@forge-desk/base/abort.ts';
import type { ForgeProtocol, TokenReading } from 'sourcehut/port/forgeProtocol.ts';
import { areasOf, originOf, type ContentArea, type ForgeInstance } from 'sourcehut/port/instance.ts';
import { isBoundTo, type Session } from '../../editor/accounts/session.ts';
import { isSourceHut } from '../../editor/accounts/forgeEntry.ts';
import { visibleLine } from '../../engine/text/visible.ts';
import { budgetLine, clockLine, grantsLine, serviceLine, tokenAnswerLine, tokenLine } from './accountWords.ts';
import type { CheckContext, Check, CheckGroup } from './checkContext.ts';
import { proxyLine, tlsLine } from './computerWords.ts';
import {
	isSendable,
	judgeBudget,
	judgeClock,
	judgeGrants,
	judgeLook,
	judgeProxies,
	judgeRefusal,
	judgeToken,
	troubleOf,
	type ServiceFinding,
	type TimedLook,
	type TokenFinding,
} from './findings.ts';
import { ok, type Line } from './line.ts';

/** A service with all areas at its origin; none for identity and projects. */
interface Service {
	readonly origin: string;
	readonly host: string;
	readonly areas: readonly ContentArea[];
}

/** Answer of a service without a token. `timed`: missing without an answer. */
interface Looked {
	readonly finding: ServiceFinding;
	readonly timed: TimedLook | undefined;
}

/** The token by its own statements. */
interface ReadToken {
	readonly finding: TokenFinding;
	readonly reading: TokenReading;
	readonly protocol: ForgeProtocol;
}

/** All services by origin: areas may share one. */
function servicesOf(instance: ForgeInstance): readonly Service[] {
	const { areas, hub } = instance;
	const origins = new Set([areas.meta, ...areasOf(instance).map((area) => originOf(instance, area)), hub]);
	return Array.from(origins).flatMap((origin) =>
		origin === undefined
			? []
			: [
					{
						origin,
						host: URL.parse(origin)?.host ?? '',
						areas: areasOf(instance).filter((area) => originOf(instance, area) === origin),
					},
				],
	);
}

/** Checks of one account, or of a forge without one. */
export function accountChecks(
	context: CheckContext,
	instance: ForgeInstance,
	session: Session | undefined,
): CheckGroup {
	const { net, clock, connections } = context;
	const services = servicesOf(instance);
	const isBuiltIn = isSourceHut(instance) || instance.isSample;
	const looks = new Map<string, Promise<Looked>>();
	let reading: Promise<ReadToken> | undefined;

	function lookOnce({ origin }: Service, signal: AbortSignal): Promise<Looked> {
		const known = looks.get(origin) ?? look(origin, signal);
		looks.set(origin, known);
		return known;
	}

	async function look(origin: string, signal: AbortSignal): Promise<Looked> {
		const askedMs = clock.nowMs();
		try {
			const answer = await net.look(origin, signal);
			const timed = { sentMs: answer.sentMs, askedMs, heardMs: clock.nowMs() };
			const finding = judgeLook(answer);
			// A page in between has a clock of its own.
			return { finding, timed: finding.kind === 'service' ? timed : undefined };
		} catch (error) {
			if (isAbort(error)) {
				throw error;
			}
			return { finding: troubleOf(error) ?? { kind: 'notUnderstood' }, timed: undefined };
		}
	}

	async function readToken(from: Session): Promise<ReadToken> {
		const protocol = await net.protocol(instance);
		const said = protocol.readToken(from.token.reveal());
		const { accountName, expiresMs, refresh } = from;
		const isBound = isBoundTo(from, instance);
		const finding = judgeToken(
			{ accountName, isBound, reading: said, expiresMs, renews: refresh !== undefined },
			clock.nowMs(),
		);
		return { finding, reading: said, protocol };
	}

	function readOnce(from: Session): Promise<ReadToken> {
		reading ??= readToken(from);
		return reading;
	}

	/** The token goes only to a service that responds as one, and only while it may be sent at all. */
	async function serviceLines(service: Service, signal: AbortSignal): Promise<readonly Line[]> {
		const named = { host: service.host, isBuiltIn };
		const { finding } = await lookOnce(service, signal);
		if (finding.kind !== 'service' || session === undefined || service.areas.length === 0) {
			return [serviceLine(named, finding)];
		}
		const token = await readOnce(session);
		if (!isSendable(token.finding)) {
			return [serviceLine(named, finding)];
		}
		const lines = await Promise.all(
			service.areas.map(async (area): Promise<Line> => {
				if (session.refusedBy.includes(area)) {
					return tokenAnswerLine(named, { kind: 'rejectedBefore' }, session.id);
				}
				try {
					const spoken = { ...instance, protocols: { ...instance.protocols, [area]: finding.protocol } };
					const { owner, version } = await net.ask(spoken, area, session.token, signal);
					return owner === session.accountName
						? tokenAnswerLine(named, { kind: 'accepted', owner, version }, session.id)
						: tokenAnswerLine(named, { kind: 'otherPerson', owner }, session.id);
				} catch (error) {
					if (isAbort(error)) {
						throw error;
					}
					return tokenAnswerLine(named, judgeRefusal(error), session.id);
				}
			}),
		);
		return [...new Map(lines.map((line) => [line.text, line])).values()];
	}

	async function proxyLines(signal: AbortSignal): Promise<readonly Line[]> {
		const used = services.map(async ({ origin, host }) => [host, await net.proxyFor(`${origin}/`, signal)] as const);
		const lines = judgeProxies(await Promise.all(used)).map(proxyLine);
		const hasTls = services.some(({ origin }) => origin.startsWith('https:'));
		return hasTls && !net.areCertificatesChecked() ? [...lines, tlsLine()] : lines;
	}

	async function clockLines(signal: AbortSignal): Promise<readonly Line[]> {
		const all = await Promise.all(services.map((service) => lookOnce(service, signal)));
		return [clockLine(judgeClock(all.flatMap(({ timed }) => timed ?? [])))];
	}

	async function tokenLines(from: Session): Promise<readonly Line[]> {
		const { finding, reading: said, protocol } = await readOnce(from);
		const line = tokenLine(finding, from.accountName, from.id);
		if (!isSendable(finding)) {
			return [line];
		}
		const areas = areasOf(instance).filter((area) => !from.refusedBy.includes(area));
		const missing = judgeGrants(areas, from.scopes, said, protocol);
		return [
			line,
			...(missing.length === 0
				? [
						ok(
							vscode.l10n.t(
								'The token has the permissions that it needs. Forge Desk asks for more when an action needs them.',
							),
						),
					]
				: missing.map((each) => grantsLine(each, URL.parse(originOf(instance, each.area))?.host ?? '', from.id))),
		];
	}

	const connection = session && connections.byKey(session.id);
	const forge = visibleLine(instance.name);
	const checks: readonly (Check | undefined)[] = [
		...services.map((service): Check => ({ about: service.host, run: (signal) => serviceLines(service, signal) })),
		session && { about: vscode.l10n.t('Token'), run: () => tokenLines(session) },
		{ about: vscode.l10n.t('Clock'), run: clockLines },
		{ about: vscode.l10n.t('Proxy'), run: proxyLines },
		connection && {
			about: vscode.l10n.t('Requests'),
			run: async () => [budgetLine(judgeBudget(connection.inboxReadings.budget()))],
		},
	];
	return {
		title: session === undefined ? forge : vscode.l10n.t('{0} on {1}', visibleLine(session.accountName), forge),
		checks: checks.filter((each) => each !== undefined),
	};
}
