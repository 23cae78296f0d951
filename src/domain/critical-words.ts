/** The effect of a critical control: hard to undo, or it gives something away. */
export type CriticalFamily =
  | 'sends'
  | 'pays'
  | 'deletes'
  | 'allows'
  | 'signs in'
  | 'shares'
  | 'pastes'
  | 'ends the session';

const LANGUAGES = ['en', 'de', 'fr', 'es', 'ja', 'zh'] as const;
type Language = (typeof LANGUAGES)[number];

/**
 * Words on controls. `words` count anywhere in a label; `alone` only as the whole label, since they have harmless uses in longer
 * ones ("Sort order"). `source` names where each word stands on a control: the message catalogues, for that language, of programs
 * in Debian 12, and laws that prescribe the words of an order button.
 */
type Words = { words: readonly string[]; alone?: readonly string[]; source: string };

export type CriticalWords = Words & { family: CriticalFamily; language: Language };

export const CRITICAL_WORDS: readonly CriticalWords[] = [
  ...inAllLanguages('sends', {
    en: {
      words: ['send', 'submit', 'publish', 'tweet'],
      alone: ['post', 'post now', 'post all', 'post comment', 'post review', 'post reply'],
      source: 'evolution (Send), WebKitGTK (Submit), shotwell (Publish), gnome-software (Post, Post Review)',
    },
    de: {
      words: ['senden', 'absenden', 'abschicken', 'verschicken', 'einsenden', 'veröffentlichen', 'posten'],
      source: 'evolution (Abschicken), WebKitGTK (Absenden), thunderbird (senden), shotwell (Veröffentlichen)',
    },
    fr: {
      words: ['envoyer', 'soumettre', 'publier', 'poster'],
      source: 'evolution (Envoyer, Soumettre, Poster), shotwell (Publier)',
    },
    es: { words: ['enviar', 'publicar'], source: 'evolution (Enviar), gnome-software (Publicar)' },
    ja: {
      words: ['送信', '投稿', '公開する', '提出'],
      source: 'evolution (送信, 提出), gnome-software (投稿), shotwell (公開)',
    },
    zh: {
      words: ['发送', '發送', '提交', '发布', '發佈'],
      source: 'evolution (发送), WebKitGTK (提交), shotwell (发布); the other forms are the traditional characters',
    },
  }),
  ...inAllLanguages('pays', {
    en: {
      words: [
        ...['buy', 'pay', 'purchase', 'donate', 'subscribe', 'checkout', 'check out', 'place order', 'order now'],
        ...['place your order', 'place my order', 'complete order', 'complete your order', 'confirm order'],
        ...['confirm your order', 'confirm payment', 'confirm and book', 'confirm booking'],
      ],
      alone: [
        'book now',
        'reserve now',
        'order',
        'transfer',
        'transfer now',
        'transfer money',
        'order with obligation to pay',
      ],
      source:
        'WebKitGTK (Buy, Order, Donate, Subscribe, Check out with Apple Pay), gnucash (Pay, Transfer); Directive 2011/83/EU article 8(2); help pages of shops and hotels (Place your order, Book now)',
    },
    de: {
      words: ['kaufen', 'bezahlen', 'bestellen', 'spenden', 'abonnieren', 'überweisen', 'überweisung'],
      alone: ['zahlen', 'jetzt zahlen', 'buchen'],
      source:
        'WebKitGTK (kaufen, bestellen, spenden), gnucash (bezahlen, Buchen), evolution (Abonnieren); BGB § 312j(3)',
    },
    fr: {
      words: ['acheter', 'payer', 'commander', 'virement', 's’abonner', 'faire un don', 'obligation de paiement'],
      alone: ['virer', 'commande'],
      source:
        'WebKitGTK (Acheter, Payer, Commander), gnucash (Virer, Virement), gnome-software (Faire un don); Code de la consommation L221-14',
    },
    es: {
      words: ['comprar', 'pagar', 'donar', 'suscribirse', 'transferir', 'obligación de pago'],
      alone: ['compra', 'pedir', 'transferencia'],
      source:
        'WebKitGTK (Comprar, Donar, Suscribirse), gnucash (Transferir, Compra); Real Decreto Legislativo 1/2007 article 98.2',
    },
    ja: {
      words: ['購入', '注文', '支払', '送金', '寄付', '資金移動', '振込'],
      source: 'gnucash (購入, 注文, 支払, 送金, 資金移動), gnome-software (寄付)',
    },
    zh: {
      words: ['购买', '購買', '支付', '付款', '转账', '轉帳', '订购', '訂購', '捐赠', '下单'],
      source: 'gnome-software (购买, 捐赠), gnucash (支付, 付款, 转账), WebKitGTK (订购)',
    },
  }),
  ...inAllLanguages('deletes', {
    en: {
      words: [
        'delete',
        'remove',
        'erase',
        'overwrite',
        'discard',
        'expunge',
        'uninstall',
        'move to trash',
        'move to bin',
      ],
      alone: [
        'format',
        'format disk',
        'format volume',
        'empty',
        'empty trash',
        'empty bin',
        'replace',
        'reset',
        'wipe',
      ],
      source:
        'nautilus (Delete, Empty Trash, Format), gtk30 (Replace), gnome-disk-utility (Erase), evolution (Overwrite, Discard, Expunge)',
    },
    de: {
      words: [
        'löschen',
        'entfernen',
        'überschreiben',
        'formatieren',
        'verwerfen',
        'deinstallieren',
        'papierkorb leeren',
      ],
      alone: ['leeren', 'säubern', 'ersetzen', 'zurücksetzen', 'in den papierkorb verschieben'],
      source:
        'nautilus (Löschen, Formatieren, Papierkorb leeren), evolution (Überschreiben, Verwerfen, Säubern), gtk30 (Ersetzen)',
    },
    fr: {
      words: [
        'supprimer',
        'effacer',
        'enlever',
        'écraser',
        'formater',
        'désinstaller',
        'vider la corbeille',
        'corbeille',
      ],
      alone: ['vider', 'abandonner', 'remplacer', 'réinitialiser', 'retirer'],
      source:
        'nautilus (Supprimer, Formater, Vider la corbeille), gnome-disk-utility (Effacer), evolution (Écraser, Abandonner)',
    },
    es: {
      words: ['eliminar', 'borrar', 'quitar', 'sobrescribir', 'formatear', 'descartar', 'desinstalar', 'vaciar'],
      alone: ['reemplazar', 'restablecer', 'purgar', 'mover a la papelera'],
      source:
        'nautilus (Eliminar, Formatear, Vaciar), gnome-disk-utility (Borrar), evolution (Sobrescribir, Descartar, Purgar)',
    },
    ja: {
      words: ['削除', '消去', '抹消', '初期化', 'フォーマット', '上書き', '空にする', '破棄', 'アンインストール'],
      alone: ['置き換え', '置き換える', 'リセット', 'ゴミ箱へ移動する'],
      source:
        'nautilus (削除, フォーマット, 空にする), gnome-disk-utility (消去, 初期化), evolution (抹消, 上書き, 破棄)',
    },
    zh: {
      words: ['删除', '刪除', '移除', '清空', '清除', '覆盖', '覆蓋', '格式化', '擦除', '丢弃', '卸载', '移动到回收站'],
      alone: ['替换', '重置', '销毁'],
      source:
        'nautilus (删除, 清空, 格式化), gnome-disk-utility (擦除), evolution (覆盖, 丢弃, 销毁), gnome-software (卸载)',
    },
  }),
  ...inAllLanguages('allows', {
    en: {
      words: ['allow', 'grant', 'authorize', 'authorise', 'trust', 'install', 'permit', 'approve'],
      source: 'epiphany (Allow), pidgin (Authorize, Permit), seahorse (Trust), gnome-software (Install)',
    },
    de: {
      words: ['erlauben', 'zulassen', 'gewähren', 'autorisieren', 'vertrauen', 'installieren', 'genehmigen'],
      source:
        'epiphany (Erlauben), pidgin (Zulassen, Autorisieren), seahorse (Vertrauen), gnome-software (Installieren)',
    },
    fr: {
      words: ['autoriser', 'permettre', 'accorder', 'faire confiance', 'installer', 'approuver'],
      alone: ['confiance'],
      source: 'epiphany (Autoriser), seahorse (Confiance), gnome-software (Installer)',
    },
    es: {
      words: ['permitir', 'autorizar', 'conceder', 'confiar', 'instalar', 'aprobar'],
      source: 'epiphany (Permitir), pidgin (Autorizar), evolution (Confiar), gnome-software (Instalar)',
    },
    ja: {
      words: ['許可', '承認', '信頼', 'インストール'],
      source: 'epiphany (許可), pidgin (承認), evolution (信頼), gnome-software (インストール)',
    },
    zh: {
      words: ['允许', '允許', '授权', '授權', '同意', '信任', '安装', '安裝'],
      source: 'epiphany (允许), gnome-control-center (授权), pidgin (同意), seahorse (信任), gnome-software (安装)',
    },
  }),
  ...inAllLanguages('signs in', {
    en: {
      words: ['sign in', 'signin', 'log in', 'login', 'password', 'passwords', 'passphrase', 'unlock', 'authenticate'],
      alone: ['keys', 'private key', 'secret key', 'api key', 'api keys', 'recovery key', 'show key', 'reveal key'],
      source: 'pidgin (Log In), epiphany (Passwords), seahorse (Keys, Authenticate, Unlock)',
    },
    de: {
      words: ['anmelden', 'einloggen', 'passwort', 'passwörter', 'kennwort', 'entsperren', 'legitimieren'],
      alone: ['schlüssel'],
      source:
        'pidgin (Anmelden), epiphany (Passwörter), seahorse (Schlüssel, Legitimieren, Entsperren), thunderbird (einloggen)',
    },
    fr: {
      words: ['se connecter', 'connexion', 'mot de passe', 'mots de passe', 'déverrouiller', 's’authentifier'],
      alone: ['clés', 'clé', 'authentification'],
      source: 'shotwell (Se connecter), pidgin (Connexion), epiphany (Mots de passe), seahorse (Clés, Déverrouiller)',
    },
    es: {
      words: ['iniciar sesión', 'contraseña', 'contraseñas', 'desbloquear', 'autenticar', 'conectarse'],
      alone: ['claves', 'clave'],
      source: 'shotwell (Iniciar sesión), pidgin (Conectarse), epiphany (Contraseñas), seahorse (Claves, Autenticar)',
    },
    ja: {
      words: ['ログイン', 'サインイン', 'パスワード', '認証', 'ロック解除', 'ロックを解除'],
      alone: ['鍵'],
      source: 'pidgin (ログイン, サインイン), epiphany (パスワード), seahorse (認証, 鍵, ロックを解除)',
    },
    zh: {
      words: ['登录', '登錄', '登入', '密码', '密碼', '口令', '密钥', '认证', '解锁'],
      source: 'pidgin (登录), epiphany (密码), gnucash (口令), seahorse (密钥, 认证, 解锁)',
    },
  }),
  ...inAllLanguages('shares', {
    en: {
      words: ['upload', 'share', 'attach'],
      source: 'shotwell (upload), gnome-control-center (Sharing), evolution (Attach)',
    },
    de: {
      words: ['hochladen', 'teilen', 'freigeben', 'anhängen', 'beilegen'],
      source: 'shotwell (Hochladen), gnome-software (Teilen), evolution (Anhängen, Beilegen)',
    },
    fr: {
      words: ['téléverser', 'partager', 'joindre'],
      source: 'gnome-control-center (partager), evolution (Joindre)',
    },
    es: {
      words: ['compartir', 'adjuntar', 'subir archivo', 'subir archivos'],
      source: 'gnome-control-center (Compartir), evolution (Adjuntar)',
    },
    ja: {
      words: ['アップロード', '共有', '添付'],
      source: 'shotwell (アップロード), gnome-control-center (共有), evolution (添付)',
    },
    zh: {
      words: ['上传', '上傳', '共享', '分享', '附加', '添加附件'],
      source: 'shotwell (上传), gnome-control-center (共享), gnome-software (分享), gnome-disk-utility (附加)',
    },
  }),
  ...inAllLanguages('pastes', {
    en: { words: ['paste'], source: 'gtk30 (Paste)' },
    de: {
      words: ['einfügen aus der zwischenablage', 'aus zwischenablage einfügen'],
      alone: ['einfügen', 'einfügen als', 'inhalte einfügen'],
      source: 'gtk30 (Einfügen)',
    },
    fr: { words: ['coller'], source: 'gtk30 (Coller)' },
    es: { words: ['pegar'], source: 'gtk30 (Pegar)' },
    ja: { words: ['貼り付け', 'ペースト'], source: 'gtk30 (貼り付け), macOS (ペースト)' },
    zh: { words: ['粘贴', '貼上'], source: 'gtk30 (粘贴, 貼上)' },
  }),
  ...inAllLanguages('ends the session', {
    en: {
      words: ['log out', 'logout', 'sign out', 'restart', 'reboot', 'shut down', 'shutdown', 'power off'],
      source: 'gnome-session (Log out, Reboot, Power off), gnome-control-center (Restart), pidgin (System Shutdown)',
    },
    de: {
      words: ['abmelden', 'ausloggen', 'neu starten', 'neustarten', 'neustart', 'ausschalten', 'herunterfahren'],
      source: 'gnome-session (Abmelden, Neustart, Ausschalten), gnome-software (Neu starten), thunderbird (ausloggen)',
    },
    fr: {
      words: ['se déconnecter', 'déconnexion', 'fermer la session', 'redémarrer', 'éteindre'],
      source: 'gnome-session (Se déconnecter, Fermer la session, Redémarrer, Éteindre)',
    },
    es: {
      words: ['cerrar sesión', 'cerrar la sesión', 'reiniciar', 'apagar', 'desconectarse'],
      source: 'gnome-session (Cerrar la sesión, Reiniciar, Apagar), epiphany (Cerrar sesión)',
    },
    ja: {
      words: ['ログアウト', 'サインアウト', '再起動', 'シャットダウン', '電源オフ', '電源を切る'],
      source: 'gnome-session (ログアウト, 再起動, 電源オフ), pidgin (シャットダウン), systemd (電源を切る)',
    },
    zh: {
      words: ['注销', '登出', '退出登录', '重启', '重新启动', '关机', '關機', '断电'],
      source: 'gnome-session (注销, 重启, 关机), shotwell (登出), gnome-software (重新启动)',
    },
  }),
];

function inAllLanguages(family: CriticalFamily, words: Record<Language, Words>): CriticalWords[] {
  return LANGUAGES.map((language) => ({ family, language, ...words[language] }));
}
