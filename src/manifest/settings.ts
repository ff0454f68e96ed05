import { protocolNames } from 'sourcehut/port/instance.ts';

const hostName = '^[A-Za-z0-9-]+(\\.[A-Za-z0-9-]+)*(:\\d{1,5})?$';
const repositoryName = '^~[^/\\s]+/[^/\\s#]+$';
type Scope = 'application' | 'machine' | 'resource' | 'window';
type Facts = Readonly<Record<string, unknown>>;

/** Others on the way can change plain http. */
const safeScheme = '^(?:https://|http://(?=(?:localhost|127\\.0\\.0\\.1|\\[::1\\])[:/]))';

/** Groups and settings in the order of the settings page. Workspaces can set those with the scopes `window` and `resource`. */
export const settings: readonly { readonly title: string; readonly properties: Readonly<Record<string, Facts>> }[] = [
	group('Accounts', {
		'forge.archives.lists': setting(
			'array',
			'application',
			[],
			'URLs of the mailing lists in email archives that you follow without an account, such as `https://lore.kernel.org/git/`.',
			{
				items: {
					type: 'string',
					pattern: `${safeScheme}[^/]+/[^?#]+$`,
					patternErrorMessage: 'Enter the URL of a list, such as https://lore.kernel.org/git/.',
				},
				uniqueItems: true,
			},
		),
		'forge.archives.mirrors': setting(
			'object',
			'application',
			{},
			'Copies of email archives, by the URL of the archive, for the times when it fails.',
			{
				additionalProperties: {
					type: 'array',
					items: {
						type: 'string',
						pattern: `${safeScheme}[^?#]+$`,
						patternErrorMessage: 'Enter a URL with https, such as https://tor.lore.kernel.org/.',
					},
				},
				propertyNames: { pattern: `${safeScheme}[^?#]+$` },
			},
		),
		'forge.forges': setting(
			'array',
			'application',
			[],
			'Forges besides SourceHut (sr.ht): a host name such as `forge.example`, or a record with `host` or all four `areas`; the command **Forge: Sign In…** takes a token.',
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
											properties: {
												kind: { const: 'pkce' },
												clientId: { type: 'string', minLength: 1, maxLength: 200 },
											},
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
	}),
	group('Inbox', {
		'forge.inbox.notify': setting(
			'array',
			'application',
			[],
			'Reasons to show a notification when something arrives in the Inbox.',
			{
				uniqueItems: true,
				items: {
					type: 'string',
					enum: [
						'mentioned',
						'assigned',
						'reviewAsked',
						'answered',
						'newVersion',
						'mine',
						'participating',
						'watchedFile',
						'followed',
					],
					enumDescriptions: [
						'You are mentioned.',
						'You are assigned, or it happens to a ticket that is assigned to you.',
						'Your review is requested.',
						'A reply to your message, or a status of your patchset.',
						'A new version of a patchset that you reviewed.',
						'It happens to what you submitted.',
						'It happens where you wrote before.',
						'A patch changes a file that you watch.',
						'It happens to what you follow.',
					],
				},
			},
		),
		'forge.inbox.statusBar': setting(
			'boolean',
			'application',
			true,
			'Show the number of unread Inbox entries in the status bar; theme (`#workbench.colorTheme#`), language (**Configure Display Language**) and keyboard shortcuts (**Open Keyboard Shortcuts**) are those of the editor.',
		),
	}),
	group('Tickets', {
		'forge.filters': setting(
			'array',
			'window',
			[
				{ name: 'Assigned to me', filter: 'assigned:me' },
				{ name: 'Submitted by me', filter: 'submitter:me' },
				{ name: 'Updated since my last visit', filter: 'status:any is:changed' },
				{ name: 'Unlabeled', filter: 'no:label' },
			],
			'Saved ticket filters, each shown as one queue over all your trackers, such as `status:open no:assignee`.',
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
		'forge.tickets.show': setting('string', 'application', 'open', 'Tickets that a tracker without a filter shows.', {
			enum: ['open', 'all'],
			enumDescriptions: [
				'Open tickets. The resolved ones are in a collapsed last row.',
				'All tickets, open and resolved, in one list.',
			],
		}),
	}),
	group('Reviews', {
		'forge.review.earlierComments': setting(
			'boolean',
			'application',
			true,
			'Show your comments on the earlier version of a patchset, and their replies, on the same lines of the newer version; a signature is checked with your gpg keyring and the `gpg.ssh.allowedSignersFile` of git.',
		),
	}),
	group('Repositories', {
		'forge.folder': setting(
			'object',
			'resource',
			{},
			'Tracker, list and repository of this folder, if its git configuration does not name the right ones.',
			{
				additionalProperties: false,
				properties: {
					tracker: {
						type: 'string',
						pattern: repositoryName,
						description: 'Tracker, such as ~owner/tracker. It decides which ticket #12 is.',
					},
					list: { type: 'string', pattern: repositoryName, description: 'List, such as ~owner/list.' },
					repository: {
						type: 'string',
						pattern: repositoryName,
						description: 'Repository, such as ~owner/repository.',
					},
				},
			},
		),
		'forge.work.branchName': setting(
			'string',
			'resource',
			'ticket-${id}-${title}',
			'Name of the branch for a ticket, with the placeholders `${id}`, `${title}` and `${tracker}`.',
		),
	}),
	group('Webhooks', {
		'forge.webhooks.receive': setting(
			'boolean',
			'machine',
			false,
			'Receive changes at once: opens a port on this computer, and creates webhooks on the forge.',
		),
		'forge.webhooks.publicAddress': setting(
			'string',
			'machine',
			'',
			'URL under which forges reach this computer, such as `https://hooks.example/forge`; empty for forges on this computer.',
		),
		'forge.webhooks.port': setting('integer', 'machine', 0, 'Port for webhooks; 0 chooses a free port once.', {
			minimum: 0,
			maximum: 65535,
		}),
		'forge.webhooks.listenAddress': setting(
			'string',
			'machine',
			'127.0.0.1',
			'Address of this computer for webhooks; change it only for a reverse proxy on another computer.',
		),
	}),
	group('Advanced', {
		'forge.index.requestsPerHour': setting(
			'integer',
			'application',
			300,
			'Rate limit of polls: maximum requests per hour in the background; with 0, Forge Desk loads only the things that you open; the cache keeps loaded things readable offline.',
			{ minimum: 0, maximum: 3600 },
		),
		'forge.requests.inFlight': setting(
			'number',
			'application',
			4,
			'Maximum parallel requests per host; the proxy is that of the editor (`#http.proxy#`).',
			{
				minimum: 1,
				maximum: 16,
			},
		),
	}),
];

function setting(type: string, scope: Scope, standard: unknown, markdownDescription: string, rest: Facts = {}): Facts {
	return { type, scope, default: standard, markdownDescription, ...rest };
}

/** Without `order`, the editor sorts by name. */
function group(title: string, all: Readonly<Record<string, Facts>>) {
	const properties = Object.entries(all).map(([name, facts], at) => [name, { ...facts, order: at + 1 }] as const);
	return { title, properties: Object.fromEntries(properties) };
}
