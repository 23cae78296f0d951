import type { Row } from './rows.ts';

const CLOUDS = 'aws gcloud az doctl hcloud fly flyctl heroku vercel netlify wrangler firebase supabase';
const CONTAINERS = 'docker podman nerdctl';
const COMPOSE = `${CONTAINERS} docker-compose`;

/** Programs of developers: repositories, databases, containers and clouds. */
export const DEVELOPMENT_ROWS: readonly Row[] = [
  ['deletes', 'discards changes that are not committed (git {first})', 'git', /^git reset.* --(?:hard|merge|keep)/u],
  [
    'deletes',
    'discards changes that are not committed (git {first})',
    'git',
    /^git checkout.* (?:--|\.|-f|--force)(?: |$)/u,
  ],
  ['deletes', 'discards changes that are not committed (git {first})', 'git', /^git restore/u],
  ['deletes', 'deletes files that are not in the repository (git clean)', 'git', /^git clean.* (?:-[a-z]*f|--force)/u],
  ['deletes', 'deletes the {first} {rest}', 'git', /^git (?:branch|tag) .* (?:-\w*[dD]|--delete)/u],
  ['deletes', 'deletes stashed changes (git stash)', 'git', /^git stash (?:drop|clear|pop)/u],
  ['deletes', 'deletes {rest}', 'git', /^git rm/u],
  [
    'overwrites',
    'rewrites the history of the repository (git {first})',
    'git',
    /^git (?:filter-|reflog|gc|prune|update-ref|rebase|replace)/u,
  ],
  ['installs', 'downloads the repository {second}', 'git', /^git (?:clone|submodule)/u],
  ['installs', 'downloads commits', 'git', /^git (?:pull|fetch)/u],
  ['sends', 'changes where commits are sent, to {last}', 'git', /^git remote (?:add|set-url)/u],
  ['credentials', 'reads the passwords that git keeps', 'git', /^git credential/u],
  [
    'persists',
    'changes the setting {second} of git, by which it starts or uses other programs',
    'git',
    /^git config .*(?:hook|alias|command|editor|helper|insteadof|proxy|fsmonitor|pager|textconv|filter|\.program|askpass|template)/iu,
  ],
  [
    'changes',
    'changes the repository (git {first})',
    'git',
    /^git (?:config|commit|merge|add|mv|apply|am|cherry-pick|revert)/u,
  ],
  ['credentials', 'uses keys or secrets', 'gh glab', /^\w+ (?:auth|secret|ssh-key)/u],
  ['sends', 'sends data', 'gh glab', /^\w+ (?:api|\S+ (?:create|edit|merge|upload|comment|close|api))/u],
  ['deletes', 'deletes on the network', 'gh glab', /^\w+ \S+ delete/u],
  ['deletes', 'deletes the database {last}', 'dropdb'],
  ['deletes', 'deletes the database {last}', 'mysqladmin', / drop /u],
  ['reads', 'reads the whole database {last}', 'pg_dump pg_dumpall mysqldump mongodump'],
  ['deletes', 'deletes in the cluster: {rest}', 'kubectl oc', /^\w+ (?:delete|drain|evict)/u],
  ['credentials', 'reads secrets of the cluster: {rest}', 'kubectl oc', /^\w+ \S+ secrets?(?:\/| |$)/u],
  [
    'changes',
    'changes the cluster: {paths}',
    'kubectl oc',
    /^\w+ (?:apply|create|patch|edit|replace|scale|set|rollout|label|cordon|cp)/u,
  ],
  ['runs', 'runs a command in the cluster: {rest}', 'kubectl oc', /^\w+ (?:exec|run)/u],
  ['deletes', 'deletes the machines and data', 'terraform tofu pulumi', /^\w+ (?:destroy|down)|-destroy/u],
  ['changes', 'changes the machines and data', 'terraform tofu pulumi', /^\w+ (?:apply|up|import|taint|state)/u],
  ['sends', 'sends files to the cloud', CLOUDS, /^\S+(?: \S+){1,4}? (?:cp|mv|sync|put) (?!(?:s3|gs):)[^·]*(?:s3|gs):/u],
  [
    'credentials',
    'uses keys or secrets',
    CLOUDS,
    / (?:configure|\S*(?:secret|credential|access-key|password|token|key)s?(?:[- ]|$))/u,
  ],
  ['deletes', 'deletes in the cloud', CLOUDS, /[ :](?:rm|rb|delete|destroy|purge|remove|terminate)(?:[-: ]|$)/u],
  ['changes', 'changes the cloud', CLOUDS, / (?:create|deploy|put|update|run|start|attach|cp|sync|publish)(?:[- ]|$)/u],
  ['sends', 'publishes packages', 'twine'],
  ['installs', 'downloads and runs {first}', 'npx bunx uvx pnpx'],
  [
    'protection',
    'runs a container with control of this computer',
    CONTAINERS,
    / (?:--privileged|--(?:pid|net)=host|(?:--volume=|-v ?)\/(?::| |$))/u,
  ],
  ['installs', 'downloads the container image {rest}', CONTAINERS, /^\w+ (?:image )?pull/u],
  ['sends', 'sends the container image {rest} to a registry', CONTAINERS, /^\w+ (?:image )?push/u],
  ['deletes', 'deletes containers, images or volumes', COMPOSE, /^\S+ (?:\w+ )?(?:rm|rmi|prune|down|remove)(?: |$)/u],
  ['stops', 'stops the containers', COMPOSE, /^\S+ (?:\w+ )?(?:stop|kill|restart|pause)(?: |$)/u],
  ['runs', 'runs containers', COMPOSE, / (?:run|exec|create|start|up|build)(?: |$)/u],
  ['installs', 'adds a place from which programs are installed', 'add-apt-repository apt-key apt-add-repository'],
  [
    'sends',
    'sends files or a mail',
    'xdg-email croc wormhole magic-wormhole ffsend kdeconnect-cli telegram-send ntfy signal-cli',
  ],
  [
    'sends',
    'opens this computer, so that others can connect to it',
    'ngrok cloudflared localtunnel lt bore chisel frpc',
  ],
];
