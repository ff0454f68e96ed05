import { protocolNames } from 'sourcehut/port/instance.ts';

const hostName = '^[A-Za-z0-9-]+(\\.[A-Za-z0-9-]+)*(:\\d{1,5})?$';
const repositoryName = '^~[^/\\s]+/[^/\\s#]+$';
type Scope = 'application' | 'machine' | 'resource' | 'window';
type Facts = Readonly<Record<string, unknown>>;

/** The settings in the order of the settings page. Workspaces can set those with the scopes `window` and `resource`. */
export const settings: Readonly<Record<string, Facts>> = ordered({
	'forge.forges': setting(
		'array',
		'application',
		[],
		'The forges to connect to. An entry is a host name such as `forge.example` (the URLs follow by convention: `https://meta.forge.example`, `https://todo.forge.example`, `https://git.forge.example`, `https://lists.forge.example`), or a record with `host` or all four `areas`. Without `signIn` a forge takes personal tokens only. For `exchange` (REST) and `secret` (GraphQL), register a client on the forge with the redirect URL `http://127.0.0.1:<redirectPort>/callback`; its secret is asked for once and kept in the secret storage. Only your user settings count; a workspace cannot change them.',
		{
			items: {
				anyOf: [
					{ type: 'string', pattern: hostName, patternErrorMessage: 'Enter a host name such as forge.example.' },
					{
						type: 'object',
						additionalProperties: false,
						oneOf: [{ required: ['host'] }, { required: ['areas'] }],
						defaultSnippets: [
							{ label: 'By host name', body: { name: '$1', host: '$2' } },
							{
								label: 'In full',
								body: {
									name: '$1',
									areas: { meta: 'https://$2', todo: 'https://$3', git: 'https://$4', lists: 'https://$5' },
									signIn: { kind: 'tokenOnly' },
								},
							},
						],
						properties: {
							name: { type: 'string', minLength: 1, maxLength: 100, description: 'Display name of the forge.' },
							host: {
								type: 'string',
								pattern: hostName,
								description: 'Host name; the URLs of the areas follow by convention.',
							},
							areas: {
								type: 'object',
								additionalProperties: false,
								required: ['meta', 'todo', 'git', 'lists'],
								description: 'URL of each area, without a path. Plain http is accepted on this computer only.',
								properties: {
									meta: { type: 'string', format: 'uri', description: 'Identity service.' },
									todo: { type: 'string', format: 'uri', description: 'Ticket trackers.' },
									git: { type: 'string', format: 'uri', description: 'Repositories.' },
									lists: { type: 'string', format: 'uri', description: 'Mailing lists.' },
								},
							},
							signIn: {
								description: 'How Forge Desk signs in besides personal tokens.',
								oneOf: [
									{
										type: 'object',
										additionalProperties: false,
										required: ['kind'],
										properties: { kind: { const: 'tokenOnly' } },
									},
									{
										type: 'object',
										additionalProperties: false,
										required: ['kind', 'clientId'],
										properties: { kind: { const: 'pkce' }, clientId: { type: 'string', minLength: 1, maxLength: 200 } },
									},
									{
										type: 'object',
										additionalProperties: false,
										required: ['kind', 'clientId', 'redirectPort'],
										properties: {
											kind: { enum: ['exchange', 'secret'] },
											clientId: { type: 'string', minLength: 1, maxLength: 200 },
											redirectPort: { type: 'integer', minimum: 1, maximum: 65535 },
										},
									},
								],
							},
							protocols: {
								description:
									'What the areas speak, "rest" or "graphql": a word for all of them, or one for each. Forge Desk asks an area that is left out.',
								anyOf: [
									{ enum: protocolNames },
									{
										type: 'object',
										additionalProperties: false,
										properties: {
											todo: { enum: protocolNames },
											git: { enum: protocolNames },
											lists: { enum: protocolNames },
										},
									},
								],
							},
							scopePrefixes: {
								type: 'object',
								additionalProperties: false,
								description:
									'Prefix of the scopes of each area: the section of the forge\'s own configuration or a client id, with a slash. With the sign-in "exchange" it is todo.sr.ht/, git.sr.ht/ and lists.sr.ht/ unless given.',
								properties: { todo: { type: 'string' }, git: { type: 'string' }, lists: { type: 'string' } },
							},
							scopeNames: {
								type: 'object',
								additionalProperties: { type: 'string' },
								description:
									'Scopes that the forge spells otherwise: names (emails: email) or whole scopes (patches:write: patches:read).',
							},
							hub: {
								type: 'string',
								description:
									"URL of the forge's project hub, such as https://sr.ht. It links repositories with their trackers and lists. Your token is sent there, too.",
							},
							webhookKey: {
								type: 'string',
								pattern: '^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$',
								description:
									"The public key with which the forge signs webhook deliveries: 32 bytes in Base64, from the forge's documentation. Only deliveries with its signature are accepted then.",
							},
						},
					},
				],
			},
		},
	),
	'forge.filters': setting(
		'array',
		'window',
		[
			{ name: 'Assigned to me', filter: 'assigned:me' },
			{ name: 'Submitted by me', filter: 'submitter:me' },
			{ name: 'Updated since my last visit', filter: 'status:any is:changed' },
			{ name: 'Unlabeled', filter: 'no:label' },
		],
		'Saved ticket filters, each shown as one queue over all your trackers. Saving or deleting one keeps the others; an empty list shows none. In the workspace settings they are shared with everyone who works in the folder. The filter is written as on the forge\'s search page: `status:open`, `submitter:~name`, `assigned:me`, `label:"needs work"`, `no:assignee`, `sort:updated`, `is:changed` for what changed since you looked, `!` to exclude a term, and words to search for.',
		{
			items: {
				type: 'object',
				additionalProperties: false,
				required: ['name', 'filter'],
				properties: {
					name: { type: 'string', minLength: 1, maxLength: 80, description: 'Name of the filter.' },
					filter: { type: 'string', maxLength: 500, description: 'Filter, such as status:open no:assignee.' },
				},
			},
		},
	),
	'forge.tickets.show': setting(
		'string',
		'application',
		'open',
		'Which tickets a tracker shows. A filter on the tracker overrides this.',
		{
			enum: ['open', 'all'],
			enumDescriptions: [
				'Open tickets. The resolved ones are in a collapsed last row.',
				'All tickets, open and resolved, in one list.',
			],
		},
	),
	'forge.folder': setting(
		'object',
		'resource',
		{},
		'Tracker, list and repository of this folder, where they are not detected, or detected wrong, from its git remotes and `sendemail.to`.',
		{
			additionalProperties: false,
			properties: {
				tracker: {
					type: 'string',
					pattern: repositoryName,
					description: 'Tracker, such as ~owner/tracker. It decides which ticket #12 is.',
				},
				list: { type: 'string', pattern: repositoryName, description: 'List, such as ~owner/list.' },
				repository: { type: 'string', pattern: repositoryName, description: 'Repository, such as ~owner/repository.' },
			},
		},
	),
	'forge.work.branchName': setting(
		'string',
		'resource',
		'ticket-${id}-${title}',
		"Name of the branch that is created when you start work on a ticket. `${id}` is its number, `${title}` its title in lower case with hyphens, `${tracker}` its tracker's name.",
	),
	'forge.review.earlierComments': setting(
		'boolean',
		'application',
		true,
		'Show your comments on the earlier version of a patchset, and the replies to them, on the same lines in the diffs of the newer version.',
	),
	'forge.inbox.notify': setting(
		'array',
		'application',
		[],
		'For which reasons a notification is shown when something arrives in the inbox. What arrives together is one notification; what happened before the window was opened is none.',
		{
			uniqueItems: true,
			items: {
				type: 'string',
				enum: ['mentioned', 'assigned', 'reviewAsked', 'answered', 'newVersion', 'mine', 'participating', 'followed'],
				enumDescriptions: [
					'You are mentioned.',
					'You are assigned, or it happens to a ticket that is assigned to you.',
					'Your review is requested.',
					'A reply to your message, or a status of your patchset.',
					'A new version of a patchset that you reviewed.',
					'It happens to what you submitted.',
					'It happens where you wrote before.',
					'It happens to what you follow.',
				],
			},
		},
	),
	'forge.inbox.statusBar': setting(
		'boolean',
		'application',
		true,
		'Show the inbox in the status bar, with the number of unread entries. The tooltip says when it was loaded and how many requests that took in the last hour.',
	),
	'forge.index.requestsPerHour': setting(
		'integer',
		'application',
		300,
		'Maximum requests per hour for loading tickets in the background, for filters, counts, read marks and the inbox. Set to 0 to load only what you open.',
		{ minimum: 0, maximum: 3600 },
	),
	'forge.requests.inFlight': setting(
		'number',
		'application',
		4,
		'Maximum parallel requests per host. Operations that you start may temporarily use more.',
		{ minimum: 1, maximum: 16 },
	),
	'forge.webhooks.receive': setting(
		'boolean',
		'machine',
		false,
		'Receive webhooks, so that the inbox and the views hear of changes at once. Opens a port on this computer, and creates webhooks for what you follow.',
	),
	'forge.webhooks.publicAddress': setting(
		'string',
		'machine',
		'',
		'URL under which forges reach this computer: of a tunnel, a reverse proxy or a forwarded port, such as `https://hooks.example/forge`. Leave it empty for forges on this computer.',
	),
	'forge.webhooks.port': setting(
		'integer',
		'machine',
		0,
		'Port at which webhooks are received. With 0 a free one is chosen once, and kept.',
		{ minimum: 0, maximum: 65535 },
	),
	'forge.webhooks.listenAddress': setting(
		'string',
		'machine',
		'127.0.0.1',
		'Address of this computer at which webhooks are received. With the default no other computer can connect. Use another one only for a reverse proxy on another computer.',
	),
	'forge.webhooks.pushMessage': setting(
		'string',
		'application',
		'Tickets named in this push: ${tickets}',
		'Message that is printed in the terminal of those who push to a repository chosen with "Show Message on Push". Placeholders are `${tickets}`, `${repository}`, `${references}` and `${pusher}`; a line whose placeholders are all empty is left out.',
		{ editPresentation: 'multilineText' },
	),
});

function setting(type: string, scope: Scope, standard: unknown, markdownDescription: string, rest: Facts = {}): Facts {
	return { type, scope, default: standard, markdownDescription, ...rest };
}

function ordered(all: Readonly<Record<string, Facts>>): Readonly<Record<string, Facts>> {
	return Object.fromEntries(Object.entries(all).map(([name, facts], at) => [name, { ...facts, order: at + 1 }]));
}
