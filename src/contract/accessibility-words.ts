/** Keeps accessibility on in later sessions of a Linux desktop too, where the desktop has the settings of GNOME. */
export const ACCESSIBILITY_COMMAND = 'gsettings set org.gnome.desktop.interface toolkit-accessibility true';

/** The code of the gap in a description that the switch causes. */
export const ACCESSIBILITY_SWITCHED_OFF = 'accessibility_switched_off';
